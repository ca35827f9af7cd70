import CryptoKit
import Foundation
import TestSupport
import Testing

@Suite struct `CryptoKit on libcrypto` {
    // Source: FIPS 180-4's examples of SHA; RFC 1321 §A.5.
    @Test func `hashes as the standards' examples do`() {
        let abc = text("abc")
        #expect(
            SHA256.hash(data: abc)
                == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        )
        #expect(
            SHA384.hash(data: abc)
                == bytes(
                    """
                    cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed
                    8086072ba1e7cc2358baeca134c825a7
                    """
                )
        )
        #expect(
            SHA512.hash(data: abc)
                == bytes(
                    """
                    ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                    2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                    """
                )
        )
        #expect(
            Insecure.SHA1.hash(data: abc) == bytes("a9993e364706816aba3e25717850c26c9cd0d89d")
        )
        #expect(Insecure.MD5.hash(data: abc) == bytes("900150983cd24fb0d6963f7d28e17f72"))
    }

    @Test func `lets a copy of a running hash go on by itself`() {
        var first = SHA256()
        first.update(data: text("a"))
        var second = first
        second.update(data: text("bc"))
        #expect(first.finalize() == SHA256.hash(data: text("a")))
        #expect(second.finalize() == SHA256.hash(data: text("abc")))
    }

    // Source: RFC 4231 §4.2, §4.3.
    @Test func `authenticates as RFC 4231 does`() {
        let key = SymmetricKey(data: text("Jefe"))
        let code = HMAC<SHA256>.authenticationCode(
            for: text("what do ya want for nothing?"),
            using: key
        )
        let expected = bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(code == expected)
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(
                expected,
                authenticating: text("what do ya want for nothing?"),
                using: key
            )
        )
        #expect(
            !HMAC<SHA256>.isValidAuthenticationCode(
                expected,
                authenticating: text("nothing"),
                using: key
            )
        )
    }

    struct Authenticated: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: Data
        let message: Data
        let sha256: String
        let sha384: String
        let sha512: String
    }

    // Source: RFC 4231 §4.3 and §4.7, whose key is longer than a block.
    @Test(arguments: [
        Authenticated(
            testDescription: "Test Case 2",
            key: text("Jefe"),
            message: text("what do ya want for nothing?"),
            sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            sha384: """
                af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e
                8e2240ca5e69e2c78b3239ecfab21649
                """,
            sha512: """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                """
        ),
        Authenticated(
            testDescription: "Test Case 6",
            key: Data(repeating: 0xaa, count: 131),
            message: text("Test Using Larger Than Block-Size Key - Hash Key First"),
            sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            sha384: """
                4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6
                0c2ef6ab4030fe8296248df163f44952
                """,
            sha512: """
                80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352
                6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598
                """
        ),
    ])
    func `authenticates a message in parts as RFC 4231 does`(row: Authenticated) {
        let key = SymmetricKey(data: row.key)
        #expect(inParts(HMAC<SHA256>(key: key), row.message) == bytes(row.sha256))
        #expect(inParts(HMAC<SHA384>(key: key), row.message) == bytes(row.sha384))
        #expect(inParts(HMAC<SHA512>(key: key), row.message) == bytes(row.sha512))
    }

    /// Authenticates no byte, the first five bytes, and the rest.
    private func inParts<H>(_ function: HMAC<H>, _ message: Data) -> HMAC<H>.MAC {
        var function = function
        function.update(data: Data())
        function.update(data: message.prefix(5))
        function.update(data: message.dropFirst(5))
        return function.finalize()
    }

    @Test func `lets a copy of a running HMAC go on by itself`() {
        let key = SymmetricKey(size: .bits256)
        var first = HMAC<SHA256>(key: key)
        first.update(data: text("a"))
        var second = first
        second.update(data: text("bc"))
        let codes = (first.finalize(), second.finalize())
        #expect(codes.0 == HMAC<SHA256>.authenticationCode(for: text("a"), using: key))
        #expect(codes.1 == HMAC<SHA256>.authenticationCode(for: text("abc"), using: key))
        // What was finalized can still go on.
        first.update(data: text("bc"))
        #expect(first.finalize() == codes.1)
    }

    // Source: RFC 5869 §A.1.
    @Test func `derives as RFC 5869 does`() {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(repeating: 0x0b, count: 22)),
            salt: bytes("000102030405060708090a0b0c"),
            info: bytes("f0f1f2f3f4f5f6f7f8f9"),
            outputByteCount: 42
        )
        let expected = bytes(
            """
            3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
            """
        )
        #expect(key == SymmetricKey(data: expected))
    }

    // Source: "The Galois/Counter Mode of Operation" (McGrew, Viega), test cases 2 and 14.
    @Test(
        arguments: [
            (16, "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf"),
            (32, "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"),
        ]
    )
    func `seals as the test cases of GCM do`(
        keyByteCount: Int,
        ciphertext: String,
        tag: String
    ) throws {
        let key = SymmetricKey(data: Data(count: keyByteCount))
        let box = try AES.GCM.seal(
            Data(count: 16),
            using: key,
            nonce: .init(data: Data(count: 12))
        )
        #expect(box.ciphertext == bytes(ciphertext))
        #expect(box.tag == bytes(tag))
        #expect(try AES.GCM.open(box, using: key) == Data(count: 16))
    }

    // Source: RFC 8439 §2.8.2.
    @Test func `seals as RFC 8439 does`() throws {
        let key = SymmetricKey(data: Data((0x80...0x9f).map { UInt8($0) }))
        let message = text(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
                + "future, sunscreen would be it."
        )
        let box = try ChaChaPoly.seal(
            message,
            using: key,
            nonce: .init(data: bytes("070000004041424344454647")),
            authenticating: bytes("50515253c0c1c2c3c4c5c6c7")
        )
        #expect(box.tag == bytes("1ae10b594f09e26a7e902ecbd0600691"))
        #expect(box.ciphertext.prefix(8) == bytes("d31a8d34648e60db"))
        let again = try ChaChaPoly.SealedBox(combined: box.combined)
        #expect(
            try ChaChaPoly.open(
                again,
                using: key,
                authenticating: bytes("50515253c0c1c2c3c4c5c6c7")
            ) == message
        )
    }

    @Test func `opens nothing that somebody changed`() throws {
        let key = SymmetricKey(size: .bits256)
        var combined = try #require(AES.GCM.seal(text("secret"), using: key).combined)
        combined[combined.count - 1] ^= 1
        let changed = try AES.GCM.SealedBox(combined: combined)
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(changed, using: key)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.SealedBox(combined: Data(count: 27))
        }
    }

    // Source: RFC 6979 §A.2.5: the key, the public point, and the signature of "sample".
    @Test func `verifies the signature of RFC 6979`() throws {
        let key = try P256.Signing.PrivateKey(
            rawRepresentation: bytes(
                "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
            )
        )
        #expect(
            key.publicKey.rawRepresentation.prefix(32)
                == bytes("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
        )
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: bytes(
                """
                efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716
                f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
                """
            )
        )
        #expect(key.publicKey.isValidSignature(signature, for: text("sample")))
        #expect(!key.publicKey.isValidSignature(signature, for: text("test")))
    }
}
