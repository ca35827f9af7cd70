import Cryptography
import KeychainModel
import Secrets

/// What the secure element hands out once the passcode was right: it lets a match of a face or
/// finger stand in for the passcode until the next restart.
///
/// All in it is wrapped under a key of the element, so that locked memory holds no key in the
/// clear. It is gone after a restart, with the passcode, and when biometry is locked out.
/// - Source: Documentation/Spec/keybag.md §6.
package struct UnlockToken: Sendable {
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
        bootID: [UInt8]
    ) throws(DeviceError) -> UnlockToken {
        let wrappingKey = try tokenKey(bootID: bootID)
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
        return UnlockToken(proofKeys: wrapped, classKeys: classKeys)
    }

    /// Releases a private half.
    func release(
        _ factor: Factor,
        from token: UnlockToken,
        bootID: [UInt8]
    ) throws(DeviceError) -> SharedSecret? {
        guard let wrapped = token.proofKeys[factor] else { return nil }
        let wrappingKey = try tokenKey(bootID: bootID)
        return SharedSecret(try Self.unwrap(wrapped, under: wrappingKey, path: path))
    }

    /// Opens the classes that a token holds.
    mutating func open(_ token: UnlockToken, bootID: [UInt8]) throws(DeviceError) {
        let wrappingKey = try tokenKey(bootID: bootID)
        var opened = ClassKeyring()
        for (protectionClass, wrapped) in token.classKeys {
            let key = try Self.unwrap(wrapped, under: wrappingKey, path: path)
            opened.open(protectionClass, with: ClassKey(key))
        }
        keys.merge(opened)
    }

    private func tokenKey(bootID: [UInt8]) throws(DeviceError) -> Secret {
        try element.tangle(salt: uuid + bootID, context: "unlock token")
    }
}
