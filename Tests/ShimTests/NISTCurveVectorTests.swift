import CryptoKit
import Foundation
import TestSupport
import Testing

@Suite struct `CryptoKit's NIST curves` {
    // Source: RFC 6979 §A.2.6, "With SHA-384, message = "sample"".
    @Test func `verify the signature of RFC 6979 on P-384`() throws {
        let key = try P384.Signing.PrivateKey(
            rawRepresentation: bytes(
                """
                6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d8
                96d5724e4c70a825f872c9ea60d2edf5
                """
            )
        )
        let point = bytes(
            """
            ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64
            def8f0ea9055866064a254515480bc13
            8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1
            288b231c3ae0d4fe7344fd2533264720
            """
        )
        #expect(key.publicKey.rawRepresentation == point)
        let signature = try P384.Signing.ECDSASignature(
            rawRepresentation: bytes(
                """
                94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c
                81a648152e44acf96e36dd1e80fabe46
                99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94f
                a329c145786e679e7b82c71a38628ac8
                """
            )
        )
        let half = try P384.Signing.PublicKey(rawRepresentation: point)
        #expect(half.isValidSignature(signature, for: text("sample")))
        #expect(!half.isValidSignature(signature, for: text("test")))
    }

    // Source: RFC 6979 §A.2.7, "With SHA-512, message = "sample"".
    @Test func `verify the signature of RFC 6979 on P-521`() throws {
        let key = try P521.Signing.PrivateKey(
            rawRepresentation: bytes(
                """
                00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75
                caa896eb32f1f47c70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b8
                3538
                """
            )
        )
        let point = bytes(
            """
            01894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd
            371123d46e45db6b5d5370a7f20fb633155d38ffa16d2bd761dcac474b9a2f50
            23a4
            00493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a
            28a0db25741b5b34a828008b22acc23f924faafbd4d33f81ea66956dfeaa2bfd
            fcf5
            """
        )
        #expect(key.publicKey.rawRepresentation == point)
        let signature = try P521.Signing.ECDSASignature(
            rawRepresentation: bytes(
                """
                00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f
                174e25a1ee9017b5d450606add152b534931d7d4e8455cc91f9b15bf05ec36e3
                77fa
                00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af
                282623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4
                a67a
                """
            )
        )
        let half = try P521.Signing.PublicKey(rawRepresentation: point)
        #expect(half.isValidSignature(signature, for: text("sample")))
        #expect(!half.isValidSignature(signature, for: text("test")))
    }

    // Source: RFC 5903 §8.1; the private keys are i and r, the secret is the x of g^ir.
    @Test func `agree on the secret of RFC 5903 on P-256`() throws {
        let initiator = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433"
            )
        )
        let responder = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53"
            )
        )
        let expected = "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"
        let secret = try initiator.sharedSecretFromKeyAgreement(with: responder.publicKey)
        #expect(secret.withUnsafeBytes { Data($0) } == bytes(expected))
        #expect(try responder.sharedSecretFromKeyAgreement(with: initiator.publicKey) == secret)
    }

    // Source: RFC 5903 §8.2.
    @Test func `agree on the secret of RFC 5903 on P-384`() throws {
        let initiator = try P384.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                """
                099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655
                e35b538041e649ee3faef896783ab194
                """
            )
        )
        let responder = try P384.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                """
                41cb0779b4bdb85d47846725fbec3c9430fab46cc8dc5060855cc9bda0aa2942
                e0308312916b8ed2960e4bd55a7448fc
                """
            )
        )
        let expected = """
            11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4
            d603135569b9e9d09cf5d4a270f59746
            """
        let secret = try initiator.sharedSecretFromKeyAgreement(with: responder.publicKey)
        #expect(secret.withUnsafeBytes { Data($0) } == bytes(expected))
        #expect(try responder.sharedSecretFromKeyAgreement(with: initiator.publicKey) == secret)
    }

    // Source: RFC 5903 §8.3.
    @Test func `agree on the secret of RFC 5903 on P-521`() throws {
        let initiator = try P521.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                """
                0037ade9319a89f4dabdb3ef411aaccca5123c61acab57b5393dce47608172a0
                95aa85a30fe1c2952c6771d937ba9777f5957b2639bab072462f68c27a57382d
                4a52
                """
            )
        )
        let responder = try P521.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                """
                0145ba99a847af43793fdd0e872e7cdfa16be30fdc780f97bccc3f078380201e
                9c677d600b343757a3bdbf2a3163e4c2f869cca7458aa4a4effc311f5cb15168
                5eb9
                """
            )
        )
        let expected = """
            01144c7d79ae6956bc8edb8e7c787c4521cb086fa64407f97894e5e6b2d79b04
            d1427e73ca4baa240a34786859810c06b3c715a3a8cc3151f2bee417996d19f3
            ddea
            """
        let secret = try initiator.sharedSecretFromKeyAgreement(with: responder.publicKey)
        #expect(secret.withUnsafeBytes { Data($0) } == bytes(expected))
        #expect(try responder.sharedSecretFromKeyAgreement(with: initiator.publicKey) == secret)
    }

    // The function itself has NIST's vectors in the tests of Cryptography, which take any secret.
    // Here: SHA-256(Z ‖ 00000001 ‖ info), the first block of SEC 1 §3.6.1, for Z of RFC 5903 §8.1.
    @Test func `derive a key as X9.63 does`() throws {
        let initiator = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433"
            )
        )
        let responder = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes(
                "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53"
            )
        )
        let secret = try initiator.sharedSecretFromKeyAgreement(with: responder.publicKey)
        let key = secret.x963DerivedSymmetricKey(
            using: SHA256.self,
            sharedInfo: text("info"),
            outputByteCount: 64
        )
        let agreed = secret.withUnsafeBytes { Data($0) }
        let blocks = [UInt8(1), 2].map { index in
            Data(SHA256.hash(data: agreed + [0, 0, 0, index] + text("info")))
        }
        #expect(key == SymmetricKey(data: blocks[0] + blocks[1]))
    }
}
