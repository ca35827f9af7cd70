import CryptoKit
import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

/// How an app keeps CryptoKit's keys: NIST keys become `SecKey`s, all others are passwords.
@Suite struct `CryptoKit's keys in the keychain` {
    private let message = Data("message".utf8)

    @Test func `on P-256 are key items, and sign after they are read`() throws {
        try onDevice {
            let key = P256.Signing.PrivateKey()
            let form: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ]
            let reference = try #require(
                SecKeyCreateWithData(key.x963Representation as CFData, form as CFDictionary, nil)
            )
            let item: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("signing".utf8),
                kSecUseDataProtectionKeychain: true,
            ]
            let added: [CFString: Any] = [
                kSecValueRef: reference, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
            ]
            #expect(SecItemAdd(item.merging(added) { $1 } as CFDictionary, nil) == errSecSuccess)

            let wanted: [CFString: Any] = [
                kSecReturnRef: true, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            ]
            var result: CFTypeRef?
            let query = item.merging(wanted) { $1 } as CFDictionary
            #expect(SecItemCopyMatching(query, &result) == errSecSuccess)
            let found = try #require(result as? SecKey)

            // The reference signs by itself, and CryptoKit reads it back.
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let der = SecKeyCreateSignature(found, algorithm, message as CFData, nil)
            let signature = try P256.Signing.ECDSASignature(
                derRepresentation: try #require(der as Data?)
            )
            #expect(key.publicKey.isValidSignature(signature, for: message))
            let bytes = try #require(SecKeyCopyExternalRepresentation(found, nil) as Data?)
            let again = try P256.Signing.PrivateKey(x963Representation: bytes)
            let second = try again.signature(for: message)
            #expect(key.publicKey.isValidSignature(second, for: message))
        }
    }

    @Test func `on Curve25519 are passwords, and sign after they are read`() throws {
        try onDevice {
            let key = Curve25519.Signing.PrivateKey()
            try store(key.rawRepresentation, account: "signing")
            let found = try Curve25519.Signing.PrivateKey(rawRepresentation: read("signing"))
            let signature = try found.signature(for: message)
            #expect(key.publicKey.isValidSignature(signature, for: message))
        }
    }

    @Test func `on Curve25519 agree on the same secret after they are read`() throws {
        try onDevice {
            let (key, peer) = (
                Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey()
            )
            try store(key.rawRepresentation, account: "agreement")
            let found = try Curve25519.KeyAgreement.PrivateKey(
                rawRepresentation: read("agreement")
            )
            let secrets = (
                try found.sharedSecretFromKeyAgreement(with: peer.publicKey),
                try peer.sharedSecretFromKeyAgreement(with: key.publicKey)
            )
            #expect(secrets.0 == secrets.1)
        }
    }

    @Test func `that are symmetric are passwords, and open after they are read`() throws {
        try onDevice {
            let key = SymmetricKey(size: .bits256)
            try store(key.withUnsafeBytes { Data($0) }, account: "database")
            let box = try ChaChaPoly.seal(message, using: key)
            let found = SymmetricKey(data: try read("database"))
            #expect(try ChaChaPoly.open(box, using: found) == message)
        }
    }

    // No form of `SecKey` holds the bytes of another curve.
    @Test func `on Curve25519 are no EC keys`() {
        let form: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        let bytes = Curve25519.Signing.PrivateKey().rawRepresentation as CFData
        #expect(SecKeyCreateWithData(bytes, form as CFDictionary, nil) == nil)
    }

    private func onDevice(_ body: () throws -> Void) throws {
        let device = try SimulatedDevice()
        try device.install(.init(bundleIdentifier: "com.example.app")).run { try body() }
    }

    private func password(_ account: String) -> [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app.keys",
            kSecAttrAccount: account, kSecUseDataProtectionKeychain: true,
        ]
    }

    private func store(_ key: Data, account: String) throws {
        var item = password(account)
        item[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        item[kSecValueData] = key
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }

    private func read(_ account: String) throws -> Data {
        var query = password(account)
        query[kSecReturnData] = true
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        return try #require(result as? Data)
    }
}
