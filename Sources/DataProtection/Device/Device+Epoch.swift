import Cryptography
import Glibc
import KeychainModel
import Secrets

// The record of the lock epoch: reading it, and beginning a new epoch.
extension Device {
    /// Whether neither the lock epoch nor this process's session has ended since the last look.
    ///
    /// It takes two system calls, and one more while a session image is in use.
    var isEpochCurrent: Bool {
        guard let epoch, isEpochFollowed, Self.isStored(epoch, in: storage) else { return false }
        guard let imageName, let sessions else { return true }
        return sessions.isPresent(imageName)
    }

    private static func isStored(
        _ epoch: LockEpoch,
        in storage: any DeviceStorage
    ) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: LockEpoch.byteCount, alignment: 1) { buffer in
            defer { buffer.wipe() }
            guard let count = try? storage.read(.lockEpoch, into: buffer),
                count == LockEpoch.byteCount
            else { return false }
            return epoch.record.secret.withUnsafeBytes { known in
                guard let first = known.baseAddress, let second = buffer.baseAddress else {
                    return false
                }
                return memcmp(first, second, known.count) == 0
            }
        }
    }

    /// Returns the stored epoch; nil if there is none, or if it was not written completely.
    static func storedEpoch(in storage: any DeviceStorage) throws(DeviceError) -> LockEpoch? {
        var count = 0
        let bytes: Secret
        do throws(StorageError) {
            bytes = try Secret(byteCount: LockEpoch.byteCount) { buffer throws(StorageError) in
                count = try storage.read(.lockEpoch, into: buffer)
            }
        } catch { throw .storage(error) }
        guard count == LockEpoch.byteCount else { return nil }
        do throws(DeviceError) {
            return try LockEpoch(parsing: bytes)
        } catch .sessionUnusable {
            return nil
        }
    }

    /// Makes an epoch the present one for all processes; durable when the call returns.
    static func store(
        _ epoch: LockEpoch,
        in storage: any DeviceStorage
    ) throws(StorageError) {
        try epoch.record.secret.withUnsafeBytes { bytes throws(StorageError) in
            try storage.overwrite(.lockEpoch, with: bytes)
        }
    }

    /// Returns the epoch of this boot, and begins one if necessary; nil if none can be recorded.
    static func presentEpoch(
        in storage: any DeviceStorage,
        random: any RandomSource,
        at now: DeviceInstant
    ) throws(DeviceError) -> LockEpoch? {
        var number: UInt64 = 0
        if let stored = try storedEpoch(in: storage) {
            if stored.bootID == now.bootID { return stored }
            number = stored.number
        }
        let unlockTimes = UnlockTimes(at: now, localMinute: 0)
        let begun = try LockEpoch(
            after: number,
            isLocked: false,
            bootID: now.bootID,
            unlockTimes: unlockTimes,
            random: random
        )
        do throws(StorageError) {
            try store(begun, in: storage)
        } catch { return nil }
        // A write may have destroyed the file instead; then there is no record.
        return isStored(begun, in: storage) ? begun : nil
    }
}

extension Device {
    /// Begins a new epoch, which makes everything shared before worthless.
    ///
    /// Every guarded class that is open is put into an image of the new epoch, so that other
    /// processes keep the keys that this one keeps. The image is written first, so that they find
    /// it when they see the new epoch. If it cannot be written, they lose the keys.
    ///
    /// - Parameters:
    ///   - now: The current moment.
    ///   - locking: Whether this is a lock, even before the first unlock.
    /// - Throws: `storage` if the old epoch can neither be ended nor its images be removed.
    mutating func beginEpoch(
        at now: DeviceInstant,
        locking: Bool = false
    ) throws(DeviceError) {
        let stored = try? Self.storedEpoch(in: storage)
        let number = stored?.number ?? epoch?.number ?? 0
        let next = try LockEpoch(
            after: number,
            isLocked: staysLocked(since: stored, at: now) || locking,
            bootID: now.bootID,
            unlockTimes: unlockTimes,
            random: random
        )
        let name = share(in: next, at: now)
        do throws(StorageError) {
            try Self.store(next, in: storage)
        } catch {
            try endSessions(unrecorded: error)
            return
        }
        epoch = next
        isEpochFollowed = true
        imageName = name
        removeImages(except: name)
    }

    /// Whether a recorded lock still holds, or this process knows of one.
    private func staysLocked(since stored: LockEpoch?, at now: DeviceInstant) -> Bool {
        switch state.lockState {
        case .unlocked: false
        case .locked: true
        case .beforeFirstUnlock: stored.map { $0.isLocked && $0.bootID == now.bootID } ?? false
        }
    }

    /// Whether the device was locked in this boot and not unlocked since, according to the record.
    package var wasLocked: Bool { state.lockState != .unlocked && epoch?.isLocked == true }

    /// Starts a new epoch if the shared images are useless.
    ///
    /// They are if they have other class keys, come from another boot, or have expired.
    mutating func renewEpoch(at now: DeviceInstant) {
        do throws(DeviceError) { try beginEpoch(at: now) } catch {
            warnings.append(.sessionNotShared(error))
        }
    }

    /// Removes the images themselves, because the lock cannot be recorded.
    private mutating func endSessions(unrecorded error: StorageError) throws(DeviceError) {
        guard let sessions else { throw .storage(error) }
        imageName = nil
        try Self.removeSession(of: keybagUUID, in: sessions, unrecorded: error)
        warnings.append(.lockNotRecorded(error))
    }

    /// Removes the session that other processes follow, instead of recording the lock.
    ///
    /// - Throws: `storage` if there is none: a process without a shared session would not notice
    ///   the lock.
    private static func removeSession(
        of keybagUUID: [UInt8],
        in sessions: any SessionImageStorage,
        unrecorded error: StorageError
    ) throws(DeviceError) {
        let prefix = LockEpoch.namePrefix(of: keybagUUID)
        let count = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try sessions.remove(startingWith: prefix, except: nil)
        }
        guard count > 0 else { throw .storage(error) }
    }

    /// Writes the image of an epoch.
    ///
    /// - Returns: The image's name; nil if there is nothing to share, or no place for it.
    private mutating func share(in epoch: LockEpoch, at now: DeviceInstant) -> String? {
        guard isPasscodeSet, state.lockState != .beforeFirstUnlock, let sessions else { return nil }
        do throws(DeviceError) {
            let name = try epoch.sessionName(of: keybagUUID)
            let image = try keybag.sessionImage(
                in: epoch.nonce,
                bootID: now.bootID,
                evictionDeadline: state.evictionDeadline?.uptime,
                sharing: state.lockState == .unlocked ? unlockToken : nil
            )
            guard let image else { return nil }
            do throws(StorageError) {
                try sessions.write(image, as: name)
            } catch { throw .storage(error) }
            return name
        } catch {
            warnings.append(.sessionNotShared(error))
            return nil
        }
    }

    /// Removes the images of other epochs.
    func removeImages(except name: String?) {
        // They are worthless: one that stays only takes a page of memory.
        _ = try? sessions?.remove(startingWith: LockEpoch.namePrefix(of: keybagUUID), except: name)
    }

    /// Shares the open keys with other processes of the same epoch, and makes them look.
    mutating func shareSession(at now: DeviceInstant) {
        guard isPasscodeSet else { return }
        do throws(DeviceError) {
            guard let present = try Self.presentEpoch(in: storage, random: random, at: now) else {
                throw .sessionUnusable(reason: "\(storage.path(of: .lockEpoch)) cannot be written")
            }
            let name = share(in: present, at: now)
            let stays = staysLocked(since: present, at: now)
            let revised = try present.revised(unlockTimes, isLocked: stays)
            do throws(StorageError) {
                try Self.store(revised, in: storage)
            } catch { throw .storage(error) }
            guard Self.isStored(revised, in: storage) else {
                throw .sessionUnusable(reason: "\(storage.path(of: .lockEpoch)) takes no content")
            }
            epoch = revised
            isEpochFollowed = true
            imageName = name
            removeImages(except: name)
        } catch {
            warnings.append(.sessionNotShared(error))
        }
    }
}

extension Device {
    /// Locks a keychain that cannot be opened, for all processes that have it open.
    ///
    /// It needs neither a class key nor the secure element, so only the directory itself can
    /// prevent the lock.
    /// - Throws: `storage` if the lock can neither be recorded nor the session be removed.
    package static func lockUnopened(
        _ storage: any DeviceStorage,
        sessions: any SessionImageStorage,
        random: any RandomSource,
        at now: DeviceInstant
    ) throws(DeviceError) {
        let stored = try? storedEpoch(in: storage)
        let number = stored?.number ?? 0
        let next = try LockEpoch(
            after: number,
            isLocked: true,
            bootID: now.bootID,
            unlockTimes: UnlockTimes(at: now, localMinute: 0),
            random: random
        )
        let uuid = (try? keybagUUID(in: storage)) ?? nil
        do throws(StorageError) {
            try store(next, in: storage)
        } catch {
            guard let uuid else { throw .storage(error) }
            try removeSession(of: uuid, in: sessions, unrecorded: error)
            return
        }
        guard let uuid else { return }
        // The images are worthless now: one that stays only takes a page of memory.
        _ = try? sessions.remove(startingWith: LockEpoch.namePrefix(of: uuid), except: nil)
    }

    private static func keybagUUID(in storage: any DeviceStorage) throws(DeviceError) -> [UInt8]? {
        let bytes = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.read(.keybag)
        }
        guard let bytes else { return nil }
        return try KeybagRecord(parsing: bytes, path: storage.path(of: .keybag)).uuid
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func wipe() {
        guard let baseAddress else { return }
        explicit_bzero(baseAddress, count)
    }
}
