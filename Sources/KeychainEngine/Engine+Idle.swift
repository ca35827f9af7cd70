import DataProtection
import KeychainModel
import Synchronization

extension Engine {
    /// Whether closing the keychain and opening it again changes nothing: every key in memory opens
    /// from the device alone, and nothing is proven.
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
