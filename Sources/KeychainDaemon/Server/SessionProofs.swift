import KeychainEngine
import KeychainMessages
import KeychainModel
import Secrets

// Invariants   (1) A proof belongs to one keychain, one passcode and one period between two locks:
//                  it does not count for a keychain that replaced this one.
//              (2) An unlock proves the passcode only if one was set before, and the same one
//                  after it: without a passcode any word unlocks.

/// The proofs of a program in its session.
final class SessionProofs: Sendable {
    private struct Known: Sendable {
        let keychain: AccountKeychain
        let stamp: ProofStamp
    }

    private let known = AdaptiveMutex<Known?>(nil)

    /// Records a successful unlock.
    ///
    /// - Parameters:
    ///   - keychain: The unlocked keychain.
    ///   - before: The stamp before the unlock.
    func noteUnlock(of keychain: AccountKeychain, since before: ProofStamp) {
        guard before.isPasscodeSet, let now = try? keychain.engine.proofStamp(),
            now.keySet == before.keySet, now.isPasscodeSet
        else { return }
        known.withLock { $0 = Known(keychain: keychain, stamp: now) }
    }

    /// Whether the session has proven the passcode since the last lock.
    func isPasscodeProven(of keychain: AccountKeychain) throws(KeychainError) -> Bool {
        guard let known = known.withLock({ $0 }), known.keychain === keychain else { return false }
        return try keychain.engine.proofStamp() == known.stamp
    }
}

/// Verification of a passcode in a request.
enum PasscodeProof {
    /// Verifies the passcode of a keychain; a wrong one counts like one to unlock.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong or missing one, and for a keychain without a
    ///   passcode.
    static func require(_ passcode: SharedSecret?, of engine: Engine) throws(KeychainError) {
        guard try engine.isPasscodeSet else { throw noPasscode }
        guard let passcode else { throw missing }
        try engine.verify(passcode: passcode)
    }

    /// The refusal of a keychain without a passcode to prove.
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
