import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Keys for the data that a daemon keeps beside the items, and the passcode check that guards
// changes to that data.
extension Engine {
    /// Derives the key of data that is stored beside the items, such as a log.
    ///
    /// It comes from the lookup key, which is available in every lock state. It stays the same when
    /// the passcode is set, changed or removed; a factory reset creates another one.
    /// - Parameter label: The purpose of the key, such as `log`.
    /// - Returns: 32 bytes.
    /// - Throws: The error that prevents the engine from reading the keychain.
    /// - Source: Documentation/Spec/log.md §1.
    package func derivedKey(_ label: String) throws(KeychainError) -> SharedSecret {
        try enter { state throws(KeychainError) in
            try state.session.device.withLookupKey { key throws(KeychainError) in
                SharedSecret(
                    try fromCryptography(
                        try HKDF.deriveKey(
                            from: key,
                            salt: [],
                            info: Array("beside the items: \(label)".utf8),
                            byteCount: 32
                        )
                    )
                )
            }
        }
    }

    /// Returns the state that a proof of the passcode depends on; a lock or a new passcode changes
    /// it.
    package func proofStamp() throws(KeychainError) -> ProofStamp {
        try enter { state throws(KeychainError) in
            ProofStamp(
                keySet: state.session.device.keySet,
                lockCount: state.session.lockCount,
                isPasscodeSet: state.session.device.isPasscodeSet
            )
        }
    }

    /// Verifies the passcode without a change of the lock state.
    ///
    /// The attempt counts like one to unlock: a wrong passcode is a failure, and the delay after
    /// failures applies.
    /// - Throws: `errSecAuthFailed` for a wrong passcode, or if none is set; otherwise as `unlock`.
    package func verify(passcode: SharedSecret) throws(KeychainError) {
        try attempt(with: passcode) { state throws(KeychainError) -> CountedAttempt? in
            try state.session.beginVerification()
        } finish: { state, stretched throws(KeychainError) in
            try state.session.finishVerification(with: stretched)
        }
    }
}

extension DeviceSession {
    fileprivate mutating func beginVerification() throws(KeychainError) -> CountedAttempt {
        try attempt { device, now throws(DeviceError) in try device.beginProof(at: now) }
    }

    /// Finishes the attempt; returns another one if the passcode changed meanwhile.
    fileprivate mutating func finishVerification(
        with passcode: StretchedPasscode
    ) throws(KeychainError) -> CountedAttempt? {
        try attempt { device, now throws(DeviceError) in
            switch try device.finishProof(with: passcode, at: now) {
            case .proven: nil
            case .again(let another): another
            }
        }
    }
}

/// The state that a proof of the passcode depends on.
package struct ProofStamp: Sendable, Hashable {
    /// 16 bytes that name the class keys; a change of the passcode makes new ones.
    package let keySet: [UInt8]
    /// The number of times this process saw the keychain become locked.
    package let lockCount: UInt64
    package let isPasscodeSet: Bool
}
