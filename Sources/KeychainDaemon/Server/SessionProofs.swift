import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

// Invariants   (1) A proof is about one keychain, one passcode and one time between two locks: it
//                  counts for nothing that took the keychain's place.
//              (2) An unlock proves the passcode only if there was one before, and the same one
//                  afterwards: without a passcode any word unlocks.

/// What a program has proven in its session.
final class SessionProofs: Sendable {
    private struct Known: Sendable {
        let keychain: AccountKeychain
        let stamp: ProofStamp
    }

    private let known = AdaptiveMutex<Known?>(nil)

    /// Notes an unlock that succeeded.
    ///
    /// - Parameters:
    ///   - keychain: What was unlocked.
    ///   - before: What the proof depends on, as it was before the unlock.
    func noteUnlock(of keychain: AccountKeychain, since before: ProofStamp) {
        guard before.isPasscodeSet, let now = try? keychain.engine.proofStamp(),
            now.keySet == before.keySet, now.isPasscodeSet
        else { return }
        known.withLock { $0 = Known(keychain: keychain, stamp: now) }
    }

    /// Whether the session proved the passcode since the last lock.
    func isPasscodeProven(of keychain: AccountKeychain) throws(KeychainError) -> Bool {
        guard let known = known.withLock({ $0 }), known.keychain === keychain else { return false }
        return try keychain.engine.proofStamp() == known.stamp
    }
}

/// The passcode in a request, verified.
enum PasscodeProof {
    /// Verifies the passcode of a keychain; a wrong one counts like one to unlock.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong one, for none, and for a keychain without one.
    static func require(_ passcode: SharedSecret?, of engine: Engine) throws(KeychainError) {
        guard try engine.isPasscodeSet else { throw noPasscode }
        guard let passcode else { throw missing }
        try engine.verify(passcode: passcode)
    }

    /// The refusal of a keychain that has no passcode to prove.
    static let noPasscode = KeychainError(
        .authFailed,
        "the keychain has no passcode, so the daemon cannot tell its owner from a program;"
            + " run keychainctl passcode set, then try again"
    )

    static let missing = KeychainError(
        .authFailed,
        "the keychain in the daemon was used before: this needs its passcode"
    )
}
