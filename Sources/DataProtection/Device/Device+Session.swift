import KeychainModel

extension Device {
    /// Writes the present session for the other processes of this boot.
    ///
    /// - Returns: `nil` if no passcode is set, as there is nothing to share.
    /// - Throws: What the element throws, or `cryptography`.
    package func sessionImage(at now: DeviceInstant) throws(DeviceError) -> [UInt8]? {
        try keybag.sessionImage(
            bootID: now.bootID,
            evictionDeadline: state.evictionDeadline?.uptime,
            sharing: state.lockState == .unlocked ? unlockToken : nil
        )
    }

    /// Takes over the session of another process, or none: then as before first unlock.
    ///
    /// An image of another boot or keybag, or a damaged one, counts as none. Without a passcode
    /// nothing happens.
    /// - Throws: What the element throws, or `cryptography`.
    package mutating func adopt(
        sessionImage: [UInt8]?,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        guard isPasscodeSet else { return takeAnnouncements() }
        let deadline = try adoptKeys(of: sessionImage, at: now)
        apply(.sessionResumed(sessionLockState(deadline), evictionDeadline: deadline), at: now)
        apply(.timePassed, at: now)
        return takeAnnouncements()
    }

    private mutating func adoptKeys(
        of sessionImage: [UInt8]?,
        at now: DeviceInstant
    ) throws(DeviceError) -> DeviceInstant? {
        do throws(DeviceError) {
            guard let sessionImage else { throw .sessionUnusable(reason: "there is none") }
            let adopted = try keybag.adopt(sessionImage: sessionImage, bootID: now.bootID)
            // A process that unlocked by itself keeps its token while the device is locked.
            unlockToken = adopted.token ?? unlockToken
            return adopted.deadline.map { DeviceInstant(bootID: now.bootID, uptime: $0) }
        } catch .sessionUnusable {
            keybag.evictGuarded()
            unlockToken = nil
            return nil
        }
    }

    /// The lock state that the open class keys stand for.
    private func sessionLockState(_ deadline: DeviceInstant?) -> LockState {
        if keybag.isAvailable(.whenUnlocked) { return deadline == nil ? .unlocked : .locked }
        return keybag.isAvailable(.afterFirstUnlock) ? .locked : .beforeFirstUnlock
    }
}
