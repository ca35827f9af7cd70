import DataProtection
import KeychainModel
import Synchronization

extension Engine {
    /// Whether the keychain can be closed and opened again without a difference.
    ///
    /// It can if the device opens every key in memory without a passcode, and there are no
    /// proofs.
    package var isClosable: Bool {
        guard !mark.isSet, attemptCount.load(ordering: .relaxed) == 0,
            let schedule = schedule.withLock({ $0 }),
            !schedule.isPasscodeSet || schedule.state == .beforeFirstUnlock
        else { return false }
        var hasProofs = true
        let isFree = state.withLockIfFree { hasProofs = !$0.session.contexts.isEmpty }
        carryOutIfFree()
        return isFree && !hasProofs
    }
}
