import Cryptography
import Secrets
import Testing

@Suite struct `Agreeing on a secret` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let family: KeyFamily
        /// PKCS#8 is not needed: the public half of NIST's keys is worked out from the scalar.
        let scalar: Hex
        let peer: Hex
        let secret: Hex
    }

    static let vectors = [
        // RFC 7748 §6.1, both ways.
        Vector(
            testDescription: "X25519, Alice",
            family: .x25519,
            scalar: "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
            peer: "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
            secret: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        ),
        Vector(
            testDescription: "X25519, Bob",
            family: .x25519,
            scalar: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
            peer: "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
            secret: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        ),
        // NIST CAVP, KAS_ECC_CDH_PrimitiveTest, the first vector of each curve.
        Vector(
            testDescription: "P-256",
            family: .ellipticCurve,
            scalar: "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
            peer: """
                04 700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287
                db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
                """,
            secret: "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"
        ),
        Vector(
            testDescription: "P-384",
            family: .ellipticCurve,
            scalar: """
                3cc3122a68f0d95027ad38c067916ba0eb8c38894d22e1b15618b6818a661774
                ad463b205da88cf699ab4d43c9cf98a1
                """,
            peer: """
                04 a7c76b970c3b5fe8b05d2838ae04ab47697b9eaf52e764592efda27fe7513272
                734466b400091adbf2d68c58e0c50066
                ac68f19f2e1cb879aed43a9969b91a0839c4c38a49749b661efedf243451915e
                d0905a32b060992b468c64766fc8437a
                """,
            secret: """
                5f9d29dc5e31a163060356213669c8ce132e22f57c9a04f40ba7fcead493b457
                e5621e766c40a2e3d4d6a04b25e533f1
                """
        ),
    ]

    /// An ECPrivateKey without its public half, of P-256 or P-384 by the scalar's size.
    private func ecPrivateKey(_ scalar: [UInt8]) -> [UInt8] {
        let name: Hex = scalar.count == 32 ? "06082a8648ce3d030107" : "06052b81040022"
        let curve = [0xA0, UInt8(name.bytes.count)] + name.bytes
        let content = [0x02, 0x01, 0x01, 0x04, UInt8(scalar.count)] + scalar + curve
        return [0x30, UInt8(content.count)] + content
    }

    @Test(arguments: vectors)
    func `gives the published secret`(vector: Vector) throws {
        let scalar = Secret(copying: vector.scalar.bytes)
        let pair =
            vector.family == .x25519
            ? try PrivateKey(family: .x25519, externalRepresentation: scalar)
            : try PrivateKey(ecPrivateKey: Secret(copying: ecPrivateKey(vector.scalar.bytes)))
        let peer = try PublicKey(family: vector.family, externalRepresentation: vector.peer.bytes)
        let secret = try pair.sharedSecret(with: peer)
        #expect(secret.copyBytesUnprotected() == vector.secret.bytes)
    }

    @Test(arguments: KeyPairs.kinds.filter(\.isForKeyAgreement))
    func `gives both sides the same`(kind: KeyKind) throws {
        let (mine, yours) = (try PrivateKey.generate(kind), try PrivateKey.generate(kind))
        let first = try mine.sharedSecret(with: yours.publicKey)
        let second = try yours.sharedSecret(with: mine.publicKey)
        let isShared = first.constantTimeEquals(second)
        #expect(isShared)
        #expect(first.byteCount == kind.blockByteCount)
        let key = try mine.sharedKey(
            with: yours.publicKey,
            sharedInfo: [1],
            byteCount: 100,
            hash: .sha256
        )
        let derived = try X963KDF.deriveKey(
            from: second,
            sharedInfo: [1],
            byteCount: 100,
            hash: .sha256
        )
        let isDerived = key.constantTimeEquals(derived)
        #expect(isDerived)
    }

    @Test(arguments: KeyPairs.kinds, KeyPairs.kinds)
    func `needs two keys of one kind`(kind: KeyKind, other: KeyKind) throws {
        guard kind != other || !kind.isForKeyAgreement else { return }
        let pair = try KeyPairs.pair(kind)
        let peer = try KeyPairs.pair(other).publicKey
        #expect(throws: CryptographyError.self) { _ = try pair.sharedSecret(with: peer) }
    }

    // The points of small order: each makes every secret zero.
    @Test(
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ] as [Hex]
    )
    func `refuses a point of small order`(point: Hex) throws {
        let pair = try PrivateKey.generate(.x25519)
        let peer = try PublicKey(family: .x25519, externalRepresentation: point.bytes)
        #expect(throws: CryptographyError.self) { _ = try pair.sharedSecret(with: peer) }
    }

    @Test(arguments: KeyPairs.kinds.filter(\.isForKeyAgreement))
    func `agrees with the openssl command`(kind: KeyKind) throws {
        let workshop = try OpenSSLWorkshop()
        let (mine, yours) = (try PrivateKey.generate(kind), try PrivateKey.generate(kind))
        try workshop.write(yours.pkcs8().copyBytesUnprotected(), to: "pair.der")
        try workshop.write(mine.publicKey.subjectPublicKeyInfo, to: "peer.der")
        let theirs = try workshop.run(
            "pkeyutl -derive -inkey pair.der -keyform DER -peerkey peer.der -peerform DER"
        )
        let ours = try mine.sharedSecret(with: yours.publicKey)
        #expect(ours.copyBytesUnprotected() == theirs)
    }
}
