import Cryptography
import Secrets
import TestSupport
import Testing

@Suite struct `An external representation of a key` {
    @Test(arguments: KeyPairs.kinds)
    func `makes the same pair again`(kind: KeyKind) throws {
        let pair = try KeyPairs.pair(kind)
        let bytes = try pair.externalRepresentation()
        let copy = try PrivateKey(family: kind.family, externalRepresentation: bytes)
        #expect(copy.publicKey == pair.publicKey)
        let isSame = try copy.externalRepresentation().constantTimeEquals(bytes)
        #expect(isSame)
    }

    @Test(arguments: KeyPairs.kinds)
    func `makes the same public key again`(kind: KeyKind) throws {
        let publicKey = try KeyPairs.pair(kind).publicKey
        let copy = try PublicKey(
            family: kind.family,
            externalRepresentation: publicKey.externalRepresentation
        )
        #expect(copy == publicKey)
        #expect(copy.kind == kind)
        #expect(try copy.identity() == Digest.sha1(publicKey.externalRepresentation))
    }

    struct Size: Sendable {
        let kind: KeyKind
        let publicByteCount: Int
        let privateByteCount: Int
        let blockByteCount: Int
    }

    @Test(arguments: [
        Size(
            kind: .ellipticCurve(.p256),
            publicByteCount: 65,
            privateByteCount: 97,
            blockByteCount: 32
        ),
        Size(
            kind: .ellipticCurve(.p384),
            publicByteCount: 97,
            privateByteCount: 145,
            blockByteCount: 48
        ),
        Size(
            kind: .ellipticCurve(.p521),
            publicByteCount: 133,
            privateByteCount: 199,
            blockByteCount: 66
        ),
        Size(kind: .ed25519, publicByteCount: 32, privateByteCount: 32, blockByteCount: 32),
        Size(kind: .x25519, publicByteCount: 32, privateByteCount: 32, blockByteCount: 32),
    ])
    func `has the size of its kind`(size: Size) throws {
        let pair = try PrivateKey.generate(size.kind)
        #expect(pair.publicKey.externalRepresentation.count == size.publicByteCount)
        #expect(try pair.externalRepresentation().byteCount == size.privateByteCount)
        #expect(size.kind.blockByteCount == size.blockByteCount)
    }

    @Test(arguments: [512, 513, 1031])
    func `counts the bits of an RSA modulus`(bitCount: Int) throws {
        let pair = try PrivateKey.generate(.rsa(bitCount: bitCount))
        #expect(pair.kind == .rsa(bitCount: bitCount))
        #expect(pair.kind.blockByteCount == (bitCount + 7) / 8)
        #expect(try pair.copied().publicKey == pair.publicKey)
    }

    @Test(arguments: [-1, 0, 511, 8193, Int(Int32.max) + 1])
    func `is never made for an RSA modulus of another size`(bitCount: Int) {
        #expect(throws: CryptographyError.invalidInput("RSA modulus not of 512 to 8192 bits")) {
            _ = try PrivateKey.generate(.rsa(bitCount: bitCount))
        }
    }

    @Test(arguments: KeyPairs.kinds)
    func `does not show in the description of a private key`(kind: KeyKind) throws {
        let pair = try KeyPairs.pair(kind)
        #expect("\(pair)" == "PrivateKey(\(kind))")
    }

    @Test(
        arguments: KeyPairs.kinds,
        [ByteChange.lastByteMissing, .oneByteMore, .emptied]
    )
    func `is refused when a byte is missing or follows`(kind: KeyKind, change: ByteChange) throws {
        let pair = try KeyPairs.pair(kind)
        let privateBytes = try pair.externalRepresentation().copyBytesUnprotected()
        let publicBytes = pair.publicKey.externalRepresentation
        #expect(throws: CryptographyError.self) {
            _ = try PublicKey(family: kind.family, externalRepresentation: change(publicBytes))
        }
        #expect(throws: CryptographyError.self) {
            _ = try PrivateKey(
                family: kind.family,
                externalRepresentation: Secret(copying: change(privateBytes))
            )
        }
    }
}
