import Cryptography
import KeychainModel
import Secrets

/// A token from the right passcode, with which a face or finger can replace the passcode.
///
/// Its keys are wrapped under a key derived from the element and a nonce in locked memory. So no
/// key is in the clear, and all are worthless once the nonce is wiped.
/// - Source: Documentation/Spec/keybag.md §6.
package struct UnlockToken: Sendable {
    /// The time for which a device keeps a token.
    package enum Lifetime: Sendable {
        /// Until the next lock, and only if a face or finger is enrolled: for a computer, whose
        /// memory is not a secure element.
        case untilLock
        /// Until the next restart: for a simulated phone, whose secure element keeps it.
        case untilRestart
    }

    /// 32 random bytes.
    let nonce: SharedSecret
    /// The private halves that are released without a passcode, wrapped; 40 bytes each.
    let proofKeys: [Factor: [UInt8]]
    /// The class keys that a lock evicts, wrapped; 40 bytes each.
    let classKeys: [ProtectionClass: [UInt8]]

    /// The factors that a token releases.
    static let factors: [Factor] = [.biometry, .companion]
}

extension Keybag {
    /// Creates a token with the classes for "while unlocked" that are open.
    func unlockToken(
        _ proofKeys: [Factor: SharedSecret],
        random: any RandomSource
    ) throws(DeviceError) -> UnlockToken {
        let nonce = SharedSecret(try Self.newKey(random))
        let wrappingKey = try tokenKey(nonce)
        var wrapped: [Factor: [UInt8]] = [:]
        for factor in UnlockToken.factors {
            guard let key = proofKeys[factor] else { continue }
            wrapped[factor] = try Self.wrap(key.secret, under: wrappingKey)
        }
        var classKeys: [ProtectionClass: [UInt8]] = [:]
        for protectionClass in ProtectionClass.allCases
        where protectionClass.availability == .whenUnlocked {
            classKeys[protectionClass] = try keys.withKey(protectionClass) {
                key throws(DeviceError) in
                try Self.wrap(key.secret, under: wrappingKey)
            }
        }
        return UnlockToken(nonce: nonce, proofKeys: wrapped, classKeys: classKeys)
    }

    /// Releases a private half.
    func release(
        _ factor: Factor,
        from token: UnlockToken
    ) throws(DeviceError) -> SharedSecret? {
        guard let wrapped = token.proofKeys[factor] else { return nil }
        let wrappingKey = try tokenKey(token.nonce)
        return SharedSecret(try Self.unwrap(wrapped, under: wrappingKey, path: path))
    }

    /// Opens the classes in a token.
    mutating func open(_ token: UnlockToken) throws(DeviceError) {
        let wrappingKey = try tokenKey(token.nonce)
        var opened = ClassKeyring()
        for (protectionClass, wrapped) in token.classKeys {
            let key = try Self.unwrap(wrapped, under: wrappingKey, path: path)
            opened.open(protectionClass, with: ClassKey(key))
        }
        keys.merge(opened)
    }

    private func tokenKey(_ nonce: SharedSecret) throws(DeviceError) -> Secret {
        try element.tangle(nonce.secret, salt: uuid, context: "unlock token")
    }
}
