import DataProtection
import KeychainModel
import Secrets

// Invariants   (1) Every lock of a keychain has a line in the account's log: here those that nobody
//                  asked for, in `KeychainLocks` those of logind, and in `CallRecord` those that a
//                  program asked for.

/// Writes a line when a keychain locks by itself.
final class LockLines: Sendable {
    /// The log keeps the keychain alive, which knows this object.
    private struct Log: Sendable {
        weak var register: AccountRegister?
    }

    private let log = AdaptiveMutex(Log())

    /// Takes the log, which is opened after the keychain, and tells how the keychain came.
    func begin(_ keychain: AccountKeychain) throws(KeychainError) -> AccountKeychain {
        log.withLock { $0.register = keychain.register }
        let facts = try keychain.engine.lockFacts()
        if facts.isPasscodeSet, facts.state != .unlocked {
            keychain.log.append(.lock("the daemon opened the keychain, which is locked then"))
        }
        return keychain
    }

    /// To be called for every lock.
    var locked: @Sendable (LockCause) -> Void {
        { [self] cause in
            guard let words = cause.words else { return }
            log.withLock { $0.register }?.append(.lock(words))
        }
    }
}

extension LockCause {
    /// The cause as a sentence says it; nil where whoever asked writes the line.
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
