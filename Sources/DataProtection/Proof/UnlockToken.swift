import Cryptography
import KeychainModel
import Secrets

/// What the secure element hands out once the passcode was right: it lets a match of a face or
/// finger stand in for the passcode until the next restart.
///
/// All in it is wrapped under a key of the element and of a nonce in locked memory, so that no key
/// is there in the clear, and all of it is worthless once the nonce is wiped.
/// - Source: Documentation/Spec/keybag.md §6.
package struct UnlockToken: Sendable {
    /// How long a device keeps a token.
    package enum Lifetime: Sendable {
        /// Only where a face or finger is enrolled, and gone with every lock: a computer, whose
        /// memory is no secure element.
        case untilLock
        /// Until the next restart: a phone, whose secure element keeps it. A simulated one.
        case untilRestart
    }

    /// 32 random bytes.
    let nonce: SharedSecret
    /// The private halves that no passcode has to be typed for, wrapped; 40 bytes each.
    let proofKeys: [Factor: [UInt8]]
    /// The class keys that leave on lock, wrapped; 40 bytes each.
    let classKeys: [ProtectionClass: [UInt8]]

    /// The factors that a token releases.
    static let factors: [Factor] = [.biometry, .companion]
}

extension Keybag {
    /// Makes a token; the classes for "while unlocked" are in it as far as they are open.
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

    /// Opens the classes that a token holds.
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
