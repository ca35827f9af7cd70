import CryptoKit
import Foundation
import TestSupport
import Testing

@Suite struct `CryptoKit's keys on Curve25519` {
    struct Signed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String
        let publicKey: String
        let message: String
        let signature: String
    }

    // Source: RFC 8032 §7.1.
    @Test(arguments: [
        Signed(
            testDescription: "TEST 1, no byte",
            key: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """
        ),
        Signed(
            testDescription: "TEST 2, one byte",
            key: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """
        ),
        Signed(
            testDescription: "TEST 3, two bytes",
            key: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """
        ),
    ])
    func `sign as RFC 8032 does`(row: Signed) throws {
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes(row.key))
        #expect(key.rawRepresentation == bytes(row.key))
        #expect(key.publicKey.rawRepresentation == bytes(row.publicKey))
        let message = bytes(row.message)
        #expect(try key.signature(for: message) == bytes(row.signature))
        let half = try Curve25519.Signing.PublicKey(rawRepresentation: bytes(row.publicKey))
        #expect(half.isValidSignature(bytes(row.signature), for: message))
        #expect(!half.isValidSignature(bytes(row.signature), for: message + [0]))
        #expect(!half.isValidSignature(bytes(row.signature).dropLast(), for: message))
        #expect(!half.isValidSignature(Data(), for: message))
    }

    struct Agreed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String
        let peer: String
        let secret: String
    }

    // Source: RFC 7748 §5.2, the first vector, and §6.1.
    @Test(arguments: [
        Agreed(
            testDescription: "§5.2",
            key: "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            peer: "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            secret: "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
        ),
        Agreed(
            testDescription: "§6.1, Alice",
            key: "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
            peer: "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
            secret: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        ),
        Agreed(
            testDescription: "§6.1, Bob",
            key: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
            peer: "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
            secret: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        ),
    ])
    func `agree on the secrets of RFC 7748`(row: Agreed) throws {
        let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes(row.key))
        #expect(key.rawRepresentation == bytes(row.key))
        let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes(row.peer))
        #expect(peer.rawRepresentation == bytes(row.peer))
        let secret = try key.sharedSecretFromKeyAgreement(with: peer)
        #expect(secret.withUnsafeBytes { Data($0) } == bytes(row.secret))
    }

    @Test func `that are new differ and work together`() throws {
        let keys = (Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey())
        #expect(keys.0.rawRepresentation != keys.1.rawRepresentation)
        let secrets = (
            try keys.0.sharedSecretFromKeyAgreement(with: keys.1.publicKey),
            try keys.1.sharedSecretFromKeyAgreement(with: keys.0.publicKey)
        )
        #expect(secrets.0 == secrets.1)
        let (mine, other) = (Curve25519.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        let signature = try mine.signature(for: text("message"))
        #expect(mine.publicKey.isValidSignature(signature, for: text("message")))
        #expect(!other.publicKey.isValidSignature(signature, for: text("message")))
    }

    @Test(arguments: [0, 31, 33, 64])
    func `are 32 bytes`(byteCount: Int) {
        let form = Data(count: byteCount)
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.Signing.PrivateKey(rawRepresentation: form)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.Signing.PublicKey(rawRepresentation: form)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: form)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PublicKey(rawRepresentation: form)
        }
    }

    // RFC 7748 §6.1: u = 0, 1 and p - 1 have low order, and the shared secret would be zeros.
    @Test(
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
    )
    func `agree on nothing with a point of low order`(point: String) throws {
        let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes(point))
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: peer)
        }
    }
}
