import DataProtection
import KeychainModel
import Secrets

// Invariants   (1) Every lock of a keychain has a line in the account's log. Automatic locks are
//                  logged here, those of logind in `KeychainLocks`, and those of programs in
//                  `CallRecord`.

/// The log lines of the automatic locks of a keychain.
final class LockLines: Sendable {
    /// The log, held weakly, because it keeps the keychain alive, which refers to this object.
    private struct Log: Sendable {
        weak var register: AccountRegister?
    }

    private let log = AdaptiveMutex(Log())

    /// Takes the log, which is opened after the keychain, and logs the initial lock state.
    func begin(_ keychain: AccountKeychain) throws(KeychainError) -> AccountKeychain {
        log.withLock { $0.register = keychain.register }
        let facts = try keychain.engine.lockFacts()
        if facts.isPasscodeSet, facts.state != .unlocked {
            keychain.log.append(.lock("the daemon opened the keychain, which is locked then"))
        }
        return keychain
    }

    /// The function to call after every lock.
    var locked: @Sendable (LockCause) -> Void {
        { [self] cause in
            guard let words = cause.words else { return }
            log.withLock { $0.register }?.append(.lock(words))
        }
    }
}

extension LockCause {
    /// The cause as a sentence; nil if the requester logs the lock.
    fileprivate var words: String? {
        switch self {
        case .requested: nil
        case .idle: "nobody used the keychain for the idle time"
        case .timeOfDay: "the time of day of the settings came"
        case .sleep: "the machine was asleep"
        case .elsewhere: "another process locked the keychain"
        case .passcodeChanged: "another process changed the passcode"
        case .unreadable: "the keychain could not be read"
        }
    }
}
