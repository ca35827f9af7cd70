import CryptoKit
import Foundation
import KeychainSimulator
import LocalAuthentication
import Security
import TestSupport
import Testing

/// What code of other people asks of keys; that the conformances compile is half of a test.
private protocol Exportable {
    init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws
    var x963Representation: Data { get }
}

extension P256.Signing.PrivateKey: Exportable {}
extension P384.Signing.PrivateKey: Exportable {}
extension P521.Signing.PrivateKey: Exportable {}
extension P256.KeyAgreement.PrivateKey: Exportable {}

@Suite struct `CryptoKit's keys` {
    private let message = Data("message".utf8)

    @Test func `come back from each of their forms`() throws {
        let key = P384.Signing.PrivateKey()
        let copies = try [
            P384.Signing.PrivateKey(x963Representation: key.x963Representation),
            P384.Signing.PrivateKey(rawRepresentation: key.rawRepresentation),
            P384.Signing.PrivateKey(derRepresentation: key.derRepresentation),
            P384.Signing.PrivateKey(pemRepresentation: key.pemRepresentation),
        ]
        #expect(copies.allSatisfy { $0.rawRepresentation == key.rawRepresentation })
        let half = key.publicKey
        let compact = try #require(half.compactRepresentation)
        let halves = try [
            P384.Signing.PublicKey(x963Representation: half.x963Representation),
            P384.Signing.PublicKey(compressedRepresentation: half.compressedRepresentation),
            P384.Signing.PublicKey(compactRepresentation: compact),
            P384.Signing.PublicKey(pemRepresentation: half.pemRepresentation),
        ]
        let signature = try key.signature(for: message)
        let again = try P384.Signing.ECDSASignature(derRepresentation: signature.derRepresentation)
        #expect(halves.allSatisfy { $0.isValidSignature(again, for: message) })
    }

    @Test func `refuse the bytes of another curve`() {
        let other = P521.Signing.PrivateKey()
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try P256.Signing.PrivateKey(x963Representation: other.x963Representation)
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P256.Signing.PrivateKey(derRepresentation: other.derRepresentation)
        }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) {
            try P256.Signing.PrivateKey(pemRepresentation: "no PEM")
        }
    }

    @Test func `convert to keys of the keychain`() throws {
        let key = P256.Signing.PrivateKey()
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
        ]
        let converted = try #require(
            SecKeyCreateWithData(
                key.x963Representation as CFData,
                attributes as CFDictionary,
                nil
            )
        )
        #expect(SecKeyCopyExternalRepresentation(converted, nil) as Data? == key.x963Representation)
    }

    @Test(.requirement("KEY-18"))
    func `of the secure element work with those outside`() throws {
        let device = try SimulatedDevice()
        try device.install(.init(bundleIdentifier: "com.example.app")).run {
            let key = try SecureEnclave.P256.Signing.PrivateKey()
            #expect(key.publicKey.compactRepresentation != nil)
            let signature = try key.signature(for: message)
            #expect(key.publicKey.isValidSignature(signature, for: message))
            let digest = SHA512.hash(data: message)
            let ofDigest = try key.signature(for: digest)
            #expect(key.publicKey.isValidSignature(ofDigest, for: digest))

            let inside = try SecureEnclave.P256.KeyAgreement.PrivateKey()
            let outside = P256.KeyAgreement.PrivateKey()
            let secrets = (
                try inside.sharedSecretFromKeyAgreement(with: outside.publicKey),
                try outside.sharedSecretFromKeyAgreement(with: inside.publicKey)
            )
            #expect(secrets.0 == secrets.1)
            let derived = secrets.0.x963DerivedSymmetricKey(
                using: SHA256.self,
                sharedInfo: message,
                outputByteCount: 32
            )
            #expect(derived.bitCount == 256)
        }
    }

    @Test(.requirement("KEY-23"))
    func `of the secure element come back from their bytes after a change of the passcode`() throws
    {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        let (bytes, publicKey) = try app.run {
            let key = try SecureEnclave.P256.Signing.PrivateKey()
            return (key.dataRepresentation, key.publicKey)
        }
        try device.setPasscode("1111", current: "0000")
        try app.run {
            let key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: bytes)
            #expect(key.dataRepresentation == bytes)
            let signature = try key.signature(for: message)
            #expect(publicKey.isValidSignature(signature, for: message))
        }
    }

    @Test(arguments: ["P384", "P521"])
    func `are written once and read three times`(curve: String) throws {
        let folder = Compiler.checkout.appending(path: "Sources/CryptoKit")
        for part in ["Signing", "KeyAgreement"] {
            let read = { (name: String) in
                try String(
                    contentsOf: folder.appending(path: "\(name)+\(part).swift"),
                    encoding: .utf8
                )
            }
            let number = String(curve.dropFirst())
            let first = try read("P256").replacing("P256", with: curve)
                .replacing("p256", with: "p" + number).replacing("P-256", with: "P-" + number)
                .replacing("SHA256", with: curve == "P384" ? "SHA384" : "SHA512")
            #expect(try read(curve) == first)
        }
    }
}
