import Cryptography
import Secrets
import Testing

/// Random bytes, and good bytes with random damage, for every parser of keys and certificates.
@Suite struct `Hostile input` {
    enum Parser: CaseIterable {
        case rsaPublicKey, rsaPrivateKey, point, pointAndScalar, ecPrivateKey, pkcs8
        case subjectPublicKeyInfo, name, certificate, pkcs12

        func parse(_ bytes: [UInt8]) throws {
            let secret = Secret(copying: bytes)
            switch self {
            case .rsaPublicKey: _ = try PublicKey(family: .rsa, externalRepresentation: bytes)
            case .rsaPrivateKey: _ = try PrivateKey(family: .rsa, externalRepresentation: secret)
            case .point:
                _ = try PublicKey(family: .ellipticCurve, externalRepresentation: bytes)
            case .pointAndScalar:
                _ = try PrivateKey(family: .ellipticCurve, externalRepresentation: secret)
            case .ecPrivateKey: _ = try PrivateKey(ecPrivateKey: secret)
            case .pkcs8: _ = try PrivateKey(pkcs8: secret)
            case .subjectPublicKeyInfo: _ = try PublicKey(subjectPublicKeyInfo: bytes)
            case .name: _ = try DistinguishedName(der: bytes).normalizedContent
            case .certificate: _ = try Certificate(der: bytes).subjectSummary
            case .pkcs12:
                _ = try PKCS12Archive(parsing: bytes, password: Secret(copying: [0x78])).identities
            }
        }
    }

    /// Good input for each parser.
    private static let samples = Result { () throws -> [Parser: [UInt8]] in
        let rsa = try KeyPairs.pair(.rsa(bitCount: 1024))
        let curve = try PrivateKey.generate(.ellipticCurve(.p256))
        let workshop = try OpenSSLWorkshop()
        try workshop.write(curve.pkcs8().copyBytesUnprotected(), to: "key.der")
        let certificate = try Certificate(
            der: workshop.run(
                "req -x509 -new -key key.der -keyform DER -outform DER -subj /O=Works/CN=Ann",
                "-addext",
                "subjectAltName=email:a@example.org,DNS:example.org"
            )
        )
        try workshop.write(certificate.der, to: "cert.der")
        try workshop.run("x509 -inform DER -in cert.der -out cert.pem")
        try workshop.run("pkey -inform DER -in key.der -out key.pem")
        return [
            .rsaPublicKey: rsa.publicKey.externalRepresentation,
            .rsaPrivateKey: try rsa.externalRepresentation().copyBytesUnprotected(),
            .point: curve.publicKey.externalRepresentation,
            .pointAndScalar: try curve.externalRepresentation().copyBytesUnprotected(),
            .ecPrivateKey: try workshop.run("ec -inform DER -in key.der -outform DER"),
            .pkcs8: try curve.pkcs8().copyBytesUnprotected(),
            .subjectPublicKeyInfo: rsa.publicKey.subjectPublicKeyInfo,
            .name: certificate.subject.der,
            .certificate: certificate.der,
            .pkcs12: try workshop.run(
                "pkcs12 -export -iter 2 -nomac -inkey key.pem -in cert.pem -passout pass:x"
            ),
        ]
    }

    @Test(arguments: Parser.allCases)
    func `is read when it is good`(parser: Parser) throws {
        try parser.parse(#require(Self.samples.get()[parser]))
    }

    @Test(arguments: Parser.allCases, [1, 2, 3] as [UInt64])
    func `is refused or read, but harms nobody, when damaged`(
        parser: Parser,
        seed: UInt64
    ) throws {
        let sample = try #require(Self.samples.get()[parser])
        let random = SeededRandomSource(seed: seed)
        for _ in 0..<200 {
            let dice = try random.bytes(8).map(Int.init)
            var bytes = sample
            let position = (dice[0] << 8 | dice[1]) % bytes.count
            switch dice[2] % 5 {
            case 0: bytes[position] ^= UInt8(1 << (dice[3] % 8))
            case 1: bytes[position] = UInt8(dice[3])
            case 2: bytes = Array(bytes.prefix(position))
            case 3: bytes.insert(contentsOf: try random.bytes(dice[3] % 5), at: position)
            default: bytes.removeSubrange(position..<min(bytes.count, position + dice[3] % 5))
            }
            try? parser.parse(bytes)
        }
    }

    @Test(arguments: Parser.allCases, [4, 5] as [UInt64])
    func `is refused when it is noise`(parser: Parser, seed: UInt64) throws {
        let random = SeededRandomSource(seed: seed)
        for byteCount in 0..<100 {
            let bytes = try random.bytes(byteCount)
            #expect(throws: (any Error).self) { try parser.parse(bytes) }
            #expect(throws: (any Error).self) { try parser.parse([0x30] + bytes) }
        }
    }

    @Test(arguments: Parser.allCases)
    func `is refused when it nests without end`(parser: Parser) {
        let closed = (0..<60).reduce(into: [UInt8]()) { bytes, _ in
            bytes = [0x30, UInt8(bytes.count)] + bytes
        }
        let open = (0..<20_000).map { UInt8($0.isMultiple(of: 2) ? 0x30 : 0x80) }
        #expect(throws: (any Error).self) { try parser.parse(closed) }
        #expect(throws: (any Error).self) { try parser.parse(open) }
    }
}
