import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// What a daemon keeps beside the items of a keychain: its keys come from here, and changing it can
// take the passcode.
extension Engine {
    /// Derives the key of something that is stored beside the items, such as a log.
    ///
    /// It comes from the lookup key, which every lock state has. It stays the same when the
    /// passcode is set, changed or removed; a factory reset makes another one.
    /// - Parameter label: What the key is for, such as `log`.
    /// - Returns: 32 bytes.
    /// - Throws: What keeps the keychain from being looked at.
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

    /// What a proof of the passcode depends on: it ends with the next lock, and with the passcode.
    package func proofStamp() throws(KeychainError) -> ProofStamp {
        try enter { state throws(KeychainError) in
            ProofStamp(
                keySet: state.session.device.keySet,
                lockCount: state.session.lockCount,
                isPasscodeSet: state.session.device.isPasscodeSet
            )
        }
    }

    /// Verifies the passcode; the lock state stays.
    ///
    /// The attempt counts like one to unlock: a wrong passcode is a failure, and the delay that
    /// follows failures holds here too.
    /// - Throws: `errSecAuthFailed` for a wrong passcode, and where none is set; as `unlock`.
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

    /// Returns another attempt if there is another passcode by now.
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

/// What a proof of the passcode depends on.
package struct ProofStamp: Sendable, Hashable {
    /// 16 bytes that name the class keys; a change of the passcode makes new ones.
    package let keySet: [UInt8]
    /// How often this process saw the keychain become locked.
    package let lockCount: UInt64
    package let isPasscodeSet: Bool
}
