import Cryptography
import TestSupport
import Testing

@testable import PKCS11Token

@Suite struct `An operation of a token` {
    private static let message = Array("message".utf8)

    struct Signing: CustomStringConvertible {
        let description: String
        let generation: UInt
        let curve: KeyKind?
        let mechanism: MechanismCall
        let input: [UInt8]
    }

    private static let digest = [UInt8](repeating: 5, count: 32)

    private static let signings: [Signing] = [
        .init(
            description: "ECDSA P-256",
            generation: 0x1040,
            curve: .ellipticCurve(.p256),
            mechanism: MechanismCall(0x1041),
            input: digest
        ),
        .init(
            description: "ECDSA P-384 with SHA-384",
            generation: 0x1040,
            curve: .ellipticCurve(.p384),
            mechanism: MechanismCall(0x1045),
            input: message
        ),
        .init(
            description: "ECDSA P-521 with SHA-512",
            generation: 0x1040,
            curve: .ellipticCurve(.p521),
            mechanism: MechanismCall(0x1046),
            input: message
        ),
        .init(
            description: "Ed25519",
            generation: 0x1055,
            curve: .ed25519,
            mechanism: MechanismCall(0x1057),
            input: message
        ),
        .init(
            description: "RSA PKCS #1",
            generation: 0,
            curve: nil,
            mechanism: MechanismCall(1),
            input: digest
        ),
        .init(
            description: "RSA PKCS #1 with SHA-256",
            generation: 0,
            curve: nil,
            mechanism: MechanismCall(0x40),
            input: message
        ),
        .init(
            description: "RSA-PSS over a digest",
            generation: 0,
            curve: nil,
            mechanism: MechanismCall(0xD, .pss(hash: 0x250, mask: 2, saltByteCount: 32)),
            input: digest
        ),
        .init(
            description: "RSA-PSS with the largest salt",
            generation: 0,
            curve: nil,
            mechanism: MechanismCall(0xD, .pss(hash: 0x250, mask: 2, saltByteCount: 222)),
            input: digest
        ),
        .init(
            description: "RSA-PSS with SHA-256, without a salt, and another mask",
            generation: 0,
            curve: nil,
            mechanism: MechanismCall(0x43, .pss(hash: 0x250, mask: 1, saltByteCount: 0)),
            input: message
        ),
        .init(
            description: "RSA-PSS with SHA-512",
            generation: 0,
            curve: nil,
            mechanism: MechanismCall(0x45, .pss(hash: 0x270, mask: 4, saltByteCount: 64)),
            input: message
        ),
    ]

    @Test(arguments: signings)
    func `signs in one call and verifies in parts`(row: Signing) throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(row.generation, curve: row.curve)
        let signature = try fixture.sign(pair.privateKey, row.mechanism, row.input)
        let module = fixture.module
        try module.begin(.verify, in: fixture.session, row.mechanism, key: pair.publicKey)
        try row.input.withUnsafeBytes { bytes in
            let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(3))
            try module.update(.verify, in: fixture.session, first)
            let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))
            try module.update(.verify, in: fixture.session, rest)
        }
        try module.verify(in: fixture.session, nil, signature)
        try module.begin(.verify, in: fixture.session, row.mechanism, key: pair.publicKey)
        #expect(throws: ReturnCode.signatureInvalid) {
            var changed = row.input
            changed[0] ^= 1
            try changed.withUnsafeBytes { try module.verify(in: fixture.session, $0, signature) }
        }
        try module.begin(.verify, in: fixture.session, row.mechanism, key: pair.publicKey)
        #expect(throws: ReturnCode.signatureLengthRange) {
            try module.verify(in: fixture.session, nil, signature + [0])
        }
    }

    @Test
    func `goes on after a question for the size and a buffer that is too small`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair()
        let module = fixture.module
        try module.begin(.sign, in: fixture.session, MechanismCall(0x1041), key: pair.privateKey)
        let sizes = try Self.digest.withUnsafeBytes { bytes in
            [
                try module.finish(.sign, in: fixture.session, bytes, capacity: nil).size,
                try module.finish(.sign, in: fixture.session, bytes, capacity: 63).size,
                try module.finish(.sign, in: fixture.session, bytes, capacity: 64).bytes?.count,
            ]
        }
        #expect(sizes == [64, 64, 64])
        #expect(throws: ReturnCode.operationNotInitialized) {
            _ = try module.finish(.sign, in: fixture.session, nil, capacity: 64)
        }
    }

    @Test
    func `keeps plaintext for a larger buffer`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(0, curve: nil)
        let module = fixture.module
        let oaep = MechanismCall(9, .oaep(hash: 0x250, mask: 2, source: 1, label: []))
        try module.begin(.encrypt, in: fixture.session, oaep, key: pair.publicKey)
        let ciphertext = try Self.message.withUnsafeBytes { bytes in
            try module.transform(.encrypt, in: fixture.session, bytes, capacity: 256).bytes
        }
        try module.begin(.decrypt, in: fixture.session, oaep, key: pair.privateKey)
        try (ciphertext ?? []).withUnsafeBytes { bytes in
            let size = try module.transform(.decrypt, in: fixture.session, bytes, capacity: nil)
            #expect(size.size == 256)
            let small = try module.transform(.decrypt, in: fixture.session, bytes, capacity: 6)
            #expect(small.size == 7)
            let whole = try module.transform(.decrypt, in: fixture.session, bytes, capacity: 7)
            #expect(whole.bytes == Self.message)
        }
    }

    struct Refusal: CustomStringConvertible {
        let description: String
        let kind: OperationKind
        let mechanism: MechanismCall
        let code: ReturnCode
    }

    private static let refusals: [Refusal] = [
        .init(
            description: "no such mechanism",
            kind: .sign,
            mechanism: MechanismCall(0x8000_0001),
            code: .mechanismInvalid
        ),
        .init(
            description: "a mechanism for something else",
            kind: .sign,
            mechanism: MechanismCall(0x250),
            code: .mechanismInvalid
        ),
        .init(
            description: "a mechanism of another kind of key",
            kind: .sign,
            mechanism: MechanismCall(0x40),
            code: .keyTypeInconsistent
        ),
        .init(
            description: "a parameter that the mechanism does not take",
            kind: .sign,
            mechanism: MechanismCall(0x1041, .other),
            code: .mechanismParameterInvalid
        ),
        .init(
            description: "a salt of an impossible size",
            kind: .sign,
            mechanism: MechanismCall(0xD, .pss(hash: 0x250, mask: 2, saltByteCount: .max)),
            code: .mechanismParameterInvalid
        ),
        .init(
            description: "a mask with another hash",
            kind: .decrypt,
            mechanism: MechanismCall(9, .oaep(hash: 0x250, mask: 1, source: 1, label: [])),
            code: .mechanismParameterInvalid
        ),
        .init(
            description: "a label",
            kind: .decrypt,
            mechanism: MechanismCall(9, .oaep(hash: 0x250, mask: 2, source: 1, label: [1])),
            code: .mechanismParameterInvalid
        ),
        .init(
            description: "verification with a private key",
            kind: .verify,
            mechanism: MechanismCall(0x1041),
            code: .keyTypeInconsistent
        ),
    ]

    @Test(arguments: refusals)
    func `is refused`(row: Refusal) throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        #expect(throws: row.code) {
            try fixture.module.begin(row.kind, in: fixture.session, row.mechanism, key: key)
        }
    }

    @Test
    func `is refused beside another one of its kind`() throws {
        let fixture = try TokenFixture()
        let hash = MechanismCall(0x250)
        try fixture.module.begin(.digest, in: fixture.session, hash)
        #expect(throws: ReturnCode.operationActive) {
            try fixture.module.begin(.digest, in: fixture.session, hash)
        }
        let output = try fixture.module.finish(.digest, in: fixture.session, nil, capacity: 32)
        #expect(output.bytes == (try Digest.sha256([UInt8]())))
    }

    @Test
    func `takes no more parts than it keeps`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair(0x1055, curve: .ed25519).privateKey
        try fixture.module.begin(.sign, in: fixture.session, MechanismCall(0x1057), key: key)
        let part = [UInt8](repeating: 0, count: Operation.bufferLimit)
        try part.withUnsafeBytes { try fixture.module.update(.sign, in: fixture.session, $0) }
        #expect(throws: ReturnCode.dataLengthRange) {
            try [UInt8(1)].withUnsafeBytes {
                try fixture.module.update(.sign, in: fixture.session, $0)
            }
        }
        #expect(throws: ReturnCode.operationNotInitialized) {
            _ = try fixture.module.finish(.sign, in: fixture.session, nil, capacity: 64)
        }
    }

    @Test(arguments: [KeyKind.ellipticCurve(.p256), .ellipticCurve(.p521)])
    func `derives what the other side derives`(kind: KeyKind) throws {
        let fixture = try TokenFixture()
        let own = try fixture.pair(curve: kind)
        let other = try PrivateKey.generate(kind)
        let point = try #require(other.publicKey.pointOctetString)
        let call = MechanismCall(
            0x1050,
            .agreement(derivation: 1, shared: [], publicKey: point)
        )
        let handle = try fixture.module.deriveKey(
            fixture.session,
            call,
            base: own.privateKey,
            try Template([(.valueLength, Encoding.number(32)), (.token, [0])])
        )
        let ownPoint = try #require(try fixture.bytes(own.publicKey, .curvePoint))
        let publicKey = try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: Array(ownPoint.suffix(kind.curve?.pointByteCount ?? 0))
        )
        let secret = try other.sharedSecret(with: publicKey).copyBytesUnprotected()
        #expect(try fixture.bytes(handle, .value) == Array(secret.suffix(32)))
    }
}
