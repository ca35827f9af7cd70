import Cryptography
import Secrets
import Testing

@Suite struct `Signing` {
    struct Scheme: Sendable, CustomTestStringConvertible {
        let kind: KeyKind
        let algorithm: SignatureAlgorithm
        var testDescription: String { "\(algorithm) with \(kind)" }
    }

    static let algorithms: [SignatureAlgorithm] =
        [.rsaRaw, .rsaPKCS1v15Raw, .ecdsaDigest(.x962), .ecdsaDigest(.rfc4754), .ed25519]
        + HashAlgorithm.allCases.flatMap { hash in
            SignatureAlgorithm.Input.allCases.flatMap { input in
                [
                    .rsaPKCS1v15(hash, input), .rsaPSS(hash, input), .ecdsa(hash, input, .x962),
                    .ecdsa(hash, input, .rfc4754),
                ]
            }
        }

    static let schemes = KeyPairs.kinds.flatMap { kind in
        algorithms.filter { $0.suits(kind) }.map { Scheme(kind: kind, algorithm: $0) }
    }

    static let message = [UInt8]("sample".utf8)

    /// What fits the algorithm: the message, or a digest of the right size.
    static func input(_ algorithm: SignatureAlgorithm) throws -> [UInt8] {
        switch algorithm {
        case .rsaPKCS1v15(let hash, .digest), .rsaPSS(let hash, .digest),
            .ecdsa(let hash, .digest, _):
            try hash.hash(message)
        default: message
        }
    }

    @Test(arguments: schemes)
    func `gives what the public half verifies`(scheme: Scheme) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let input = try Self.input(scheme.algorithm)
        let signature = try pair.sign(input, with: scheme.algorithm)
        let publicKey = pair.publicKey
        #expect(try publicKey.isValidSignature(signature, for: input, with: scheme.algorithm))

        var other = input
        other[0] ^= 1
        #expect(try !publicKey.isValidSignature(signature, for: other, with: scheme.algorithm))
        let stranger = try KeyPairs.stranger(scheme.kind).publicKey
        #expect(try !stranger.isValidSignature(signature, for: input, with: scheme.algorithm))
    }

    @Test(arguments: schemes)
    func `gives what nobody can alter`(scheme: Scheme) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let input = try Self.input(scheme.algorithm)
        let signature = try pair.sign(input, with: scheme.algorithm)
        var altered = signature
        altered[signature.count / 2] ^= 0x10
        let forgeries: [[UInt8]] = [
            [], [0], altered, Array(signature.dropLast()), signature + [0], [0] + signature,
            [UInt8](repeating: 0, count: signature.count),
            [UInt8](repeating: 0xFF, count: signature.count),
            [UInt8](repeating: 0xFF, count: 5000),
        ]
        let valid = try forgeries.filter { forgery in
            try pair.publicKey.isValidSignature(forgery, for: input, with: scheme.algorithm)
        }
        #expect(valid == [])
    }

    @Test(arguments: schemes)
    func `of a message is signing its digest`(scheme: Scheme) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let (hash, digestAlgorithm): (HashAlgorithm, SignatureAlgorithm)
        switch scheme.algorithm {
        case .rsaPKCS1v15(let used, .message):
            (hash, digestAlgorithm) = (used, .rsaPKCS1v15(used, .digest))
        case .rsaPSS(let used, .message): (hash, digestAlgorithm) = (used, .rsaPSS(used, .digest))
        case .ecdsa(let used, .message, let encoding):
            (hash, digestAlgorithm) = (used, .ecdsaDigest(encoding))
        default: return
        }
        let signature = try pair.sign(Self.message, with: scheme.algorithm)
        let digest = try hash.hash(Self.message)
        #expect(
            try pair.publicKey.isValidSignature(signature, for: digest, with: digestAlgorithm)
        )
    }

    /// Every kind of key with every algorithm that is not for it.
    private static let misfits = KeyPairs.kinds.flatMap { kind in
        algorithms.filter { !$0.suits(kind) }.map { Scheme(kind: kind, algorithm: $0) }
    }

    @Test(arguments: misfits)
    func `is refused with an algorithm of another kind`(misfit: Scheme) throws {
        let pair = try KeyPairs.pair(misfit.kind)
        let input = try Self.input(misfit.algorithm)
        #expect(throws: CryptographyError.invalidInput("algorithm of another key kind")) {
            _ = try pair.sign(input, with: misfit.algorithm)
        }
        #expect(throws: CryptographyError.invalidInput("algorithm of another key kind")) {
            _ = try pair.publicKey.isValidSignature([], for: input, with: misfit.algorithm)
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `is refused for a digest of another size`(hash: HashAlgorithm) throws {
        let rsa = try KeyPairs.pair(.rsa(bitCount: 2048))
        let curve = try PrivateKey.generate(.ellipticCurve(.p256))
        let digest = [UInt8](repeating: 1, count: hash.byteCount + 1)
        #expect(throws: CryptographyError.invalidInput("digest of another size")) {
            _ = try rsa.sign(digest, with: .rsaPSS(hash, .digest))
        }
        #expect(throws: CryptographyError.invalidInput("digest of another size")) {
            _ = try curve.sign(digest, with: .ecdsa(hash, .digest, .x962))
        }
    }

    @Test(arguments: [1, 20, 32, 33, 64, 300])
    func `takes digests of any size on a curve`(byteCount: Int) throws {
        let pair = try PrivateKey.generate(.ellipticCurve(.p256))
        let digest = try SeededRandomSource(seed: UInt64(byteCount)).bytes(byteCount)
        let signature = try pair.sign(digest, with: .ecdsaDigest(.rfc4754))
        #expect(signature.count == 64)
        // What lies beyond the size of the group order plays no part.
        let cut = Array(digest.prefix(32))
        #expect(
            try pair.publicKey.isValidSignature(signature, for: cut, with: .ecdsaDigest(.rfc4754))
        )
    }

    struct Room: Sendable {
        let bitCount: Int
        let algorithm: SignatureAlgorithm
        let fits: Bool
    }

    @Test(arguments: [
        Room(bitCount: 512, algorithm: .rsaPKCS1v15(.sha256, .message), fits: true),
        Room(bitCount: 512, algorithm: .rsaPKCS1v15(.sha384, .message), fits: false),
        Room(bitCount: 752, algorithm: .rsaPKCS1v15(.sha512, .message), fits: true),
        Room(bitCount: 744, algorithm: .rsaPKCS1v15(.sha512, .message), fits: false),
        Room(bitCount: 512, algorithm: .rsaPSS(.sha1, .message), fits: true),
        Room(bitCount: 521, algorithm: .rsaPSS(.sha256, .message), fits: false),
        Room(bitCount: 522, algorithm: .rsaPSS(.sha256, .message), fits: true),
        Room(bitCount: 1034, algorithm: .rsaPSS(.sha512, .message), fits: true),
        Room(bitCount: 1033, algorithm: .rsaPSS(.sha512, .message), fits: false),
    ])
    func `needs room in the modulus`(room: Room) throws {
        let kind = KeyKind.rsa(bitCount: room.bitCount)
        #expect(room.algorithm.suits(kind) == room.fits)
        guard room.fits else { return }
        let pair = try PrivateKey.generate(kind)
        let signature = try pair.sign(Self.message, with: room.algorithm)
        #expect(
            try pair.publicKey.isValidSignature(signature, for: Self.message, with: room.algorithm)
        )
    }

    @Test func `refuses what is longer than a block`() throws {
        let pair = try KeyPairs.pair(.rsa(bitCount: 1024))
        #expect(throws: CryptographyError.invalidInput("more than a block to sign")) {
            _ = try pair.sign([UInt8](repeating: 1, count: 129), with: .rsaRaw)
        }
        #expect(throws: CryptographyError.self) {
            _ = try pair.sign([UInt8](repeating: 0xFF, count: 128), with: .rsaRaw)
        }
        #expect(throws: CryptographyError.self) {
            _ = try pair.sign([UInt8](repeating: 1, count: 118), with: .rsaPKCS1v15Raw)
        }
        let signature = try pair.sign([UInt8](repeating: 1, count: 117), with: .rsaPKCS1v15Raw)
        #expect(signature.count == 128)
    }

    @Test(arguments: KeyPairs.kinds.filter { $0 != .x25519 })
    func `goes on in many tasks at once`(kind: KeyKind) async throws {
        let pair = try KeyPairs.pair(kind)
        let algorithm = try #require(Self.algorithms.last { $0.suits(kind) })
        let input = try Self.input(algorithm)
        let areValid = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let signature = try pair.sign(input, with: algorithm)
                    return try pair.publicKey.isValidSignature(
                        signature,
                        for: input,
                        with: algorithm
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(areValid == [Bool](repeating: true, count: 16))
    }
}
