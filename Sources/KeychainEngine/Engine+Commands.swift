import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// The user's commands to the device: lock, unlock, set a passcode, read the state.
//
// Source: requirements ACC-04 to ACC-06, SIM-08 to SIM-10, OPS-03, OPS-06.
extension Engine {
    func perform(
        _ request: DeviceRequest,
        for caller: Caller
    ) throws(KeychainError) -> DeviceReply {
        switch request {
        case .status:
            return try enter { state throws(KeychainError) in
                .status(try state.status(for: caller))
            }
        case .lock:
            try lock()
            return .changed(warnings: takeWarningsIfFree())
        case .unlock(let passcode): try unlock(passcode: passcode)
        case .setPasscode(let new, let current): try setPasscode(new, current: current)
        case .removePasscode(let current): try removePasscode(current: current)
        case .setLockSettings(let settings):
            try enter { state throws(KeychainError) in
                try state.session.setLockSettings(settings)
            }
        }
        return .changed(warnings: try takeWarnings())
    }
}

extension EngineState {
    fileprivate func status(for caller: Caller) throws(KeychainError) -> DeviceStatus {
        let attempts = try session.attemptStatus()
        return DeviceStatus(
            lockState: .init(session.device.state.lockState),
            isProtectedDataAvailable: session.device.isProtectedDataAvailable,
            isPasscodeSet: session.device.isPasscodeSet,
            failedAttempts: Int(attempts.failures),
            delaySeconds: attempts.delayRemaining / .seconds(1),
            secureElement: session.device.elementKind,
            location: vault.store.location,
            accessGroups: caller.accessGroups,
            defaultAccessGroup: caller.defaultGroup,
            itemCounts: try vault.itemCounts(for: caller),
            memoryIsLocked: SecretArena.shared.usage.isLocked,
            guessCost: session.device.guessCost.map {
                .init(memoryKiB: Int($0.memoryKiB), passes: Int($0.passes))
            },
            lockSettings: session.device.lockSettings
        )
    }
}

extension ItemVault {
    /// Returns how many items of each class the caller may see, in any lock state.
    fileprivate func itemCounts(for caller: Caller) throws(KeychainError) -> [ItemClass: Int] {
        let scope = GroupScope.matching(
            groups: caller.accessGroups.filter { !$0.hasSuffix("*") },
            prefixes: caller.wildcardPrefixes
        )
        var counts: [ItemClass: Int] = [:]
        for itemClass in ItemClass.stored {
            var selection = Selection(itemClass: itemClass)
            selection.synchronizable = .any
            let filter = try filter(for: selection, in: scope)
            counts[itemClass] = try store.count(filter)
        }
        return counts
    }
}

extension DeviceStatus.LockState {
    init(_ state: LockState) {
        switch state {
        case .beforeFirstUnlock: self = .beforeFirstUnlock
        case .locked: self = .locked
        case .unlocked: self = .unlocked
        }
    }
}
