import Cryptography
import Secrets
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `Encrypting to a public key` {
    struct Scheme: Sendable, CustomTestStringConvertible {
        let kind: KeyKind
        let algorithm: EncryptionAlgorithm
        var testDescription: String { "\(algorithm) with \(kind)" }
    }

    static let algorithms: [EncryptionAlgorithm] =
        [.rsaPKCS1v15]
        + HashAlgorithm.allCases.flatMap { hash in
            [
                .rsaOAEP(hash), .rsaOAEPAESGCM(hash), .ecies(hash, .zero), .ecies(hash, .derived),
            ]
        }

    static let schemes = KeyPairs.kinds.flatMap { kind in
        algorithms.filter { $0.suits(kind) }.map { Scheme(kind: kind, algorithm: $0) }
    }

    @Test(arguments: schemes, ["", "\0", "sample"])
    func `lets the private half decrypt`(scheme: Scheme, message: String) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let plaintext = [UInt8](message.utf8)
        let ciphertext = try pair.publicKey.encrypt(
            Secret(copying: plaintext),
            with: scheme.algorithm
        )
        let opened = try pair.decrypt(ciphertext, with: scheme.algorithm)
        #expect(opened.copyBytesUnprotected() == plaintext)
    }

    @Test(arguments: schemes)
    func `never gives the same twice`(scheme: Scheme) throws {
        let publicKey = try KeyPairs.pair(scheme.kind).publicKey
        let plaintext = Secret(copying: [1, 2, 3])
        let first = try publicKey.encrypt(plaintext, with: scheme.algorithm)
        #expect(try publicKey.encrypt(plaintext, with: scheme.algorithm) != first)
    }

    @Test(
        arguments: schemes.filter { $0.algorithm != .rsaPKCS1v15 },
        [
            ByteChange.secondByteDiffers, .middleByteDiffers, .lastByteDiffers, .emptied,
            .oneZeroLeft, .lastByteMissing, .oneByteMore,
        ]
    )
    func `gives what nobody can alter`(scheme: Scheme, change: ByteChange) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let ciphertext = try pair.publicKey.encrypt(
            Secret(copying: [UInt8](repeating: 7, count: 20)),
            with: scheme.algorithm
        )
        #expect(throws: CryptographyError.self) {
            _ = try pair.decrypt(change(ciphertext), with: scheme.algorithm)
        }
    }

    @Test(arguments: schemes)
    func `keeps strangers out`(scheme: Scheme) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let plaintext = [UInt8](repeating: 7, count: 20)
        let ciphertext = try pair.publicKey.encrypt(
            Secret(copying: plaintext),
            with: scheme.algorithm
        )
        let stranger = try KeyPairs.stranger(scheme.kind)
        // One padding of PKCS#1 v1.5 in some thousands looks right by chance.
        let opened = try? stranger.decrypt(ciphertext, with: scheme.algorithm)
            .copyBytesUnprotected()
        #expect(opened != plaintext)
    }

    struct Limit: Sendable {
        let algorithm: EncryptionAlgorithm
        let byteCount: Int
    }

    @Test(arguments: [
        Limit(algorithm: .rsaPKCS1v15, byteCount: 117),
        Limit(algorithm: .rsaOAEP(.sha1), byteCount: 86),
        Limit(algorithm: .rsaOAEP(.sha224), byteCount: 70),
        Limit(algorithm: .rsaOAEP(.sha256), byteCount: 62),
        Limit(algorithm: .rsaOAEP(.sha384), byteCount: 30),
    ])
    func `fills the block to the last byte`(limit: Limit) throws {
        let pair = try KeyPairs.pair(.rsa(bitCount: 1024))
        let longest = [UInt8](repeating: 9, count: limit.byteCount)
        let ciphertext = try pair.publicKey.encrypt(Secret(copying: longest), with: limit.algorithm)
        let opened = try pair.decrypt(ciphertext, with: limit.algorithm)
        #expect(opened.copyBytesUnprotected() == longest)
        #expect(
            throws: CryptographyError.invalidInput("plaintext over \(limit.byteCount) bytes")
        ) {
            _ = try pair.publicKey.encrypt(Secret(copying: longest + [9]), with: limit.algorithm)
        }
    }

    @Test func `puts zeros before a short raw block`() throws {
        let pair = try KeyPairs.pair(.rsa(bitCount: 1024))
        let ciphertext = try pair.publicKey.encrypt(Secret(copying: [1, 2, 3]), with: .rsaRaw)
        let opened = try pair.decrypt(ciphertext, with: .rsaRaw).copyBytesUnprotected()
        #expect(opened == [UInt8](repeating: 0, count: 125) + [1, 2, 3])
        #expect(throws: CryptographyError.self) {
            let block = [UInt8](repeating: 0xFF, count: 128)
            _ = try pair.publicKey.encrypt(Secret(copying: block), with: .rsaRaw)
        }
    }

    @Test(arguments: [
        Scheme(kind: .rsa(bitCount: 2048), algorithm: .rsaOAEPAESGCM(.sha256)),
        Scheme(kind: .ellipticCurve(.p256), algorithm: .ecies(.sha256, .derived)),
        Scheme(kind: .ellipticCurve(.p256), algorithm: .ecies(.sha512, .zero)),
    ])
    func `takes long messages under a session key`(scheme: Scheme) throws {
        let pair = try KeyPairs.pair(scheme.kind)
        let message = try SeededRandomSource(seed: 3).bytes(300_000)
        let ciphertext = try pair.publicKey.encrypt(
            Secret(copying: message),
            with: scheme.algorithm
        )
        let head = scheme.kind.family == .rsa ? 256 : 65
        #expect(ciphertext.count == head + message.count + 16)
        let opened = try pair.decrypt(ciphertext, with: scheme.algorithm)
        #expect(opened.copyBytesUnprotected() == message)
    }

    @Test(
        arguments: [
            (.rsa(bitCount: 1024), 16), (.rsa(bitCount: 4095), 16), (.rsa(bitCount: 4096), 32),
            (.rsa(bitCount: 8192), 32), (.ellipticCurve(.p256), 16), (.ellipticCurve(.p384), 32),
            (.ellipticCurve(.p521), 32),
        ] as [(KeyKind, Int)]
    )
    func `takes AES-256 for large keys`(kind: KeyKind, byteCount: Int) {
        #expect(SessionCipher.keyByteCount(for: kind) == byteCount)
    }

    /// Every kind of key with every algorithm that is not for it.
    private static let misfits = KeyPairs.kinds.flatMap { kind in
        (algorithms + [.rsaRaw]).filter { !$0.suits(kind) }.map {
            Scheme(kind: kind, algorithm: $0)
        }
    }

    @Test(arguments: misfits)
    func `is refused with an algorithm of another kind`(misfit: Scheme) throws {
        let pair = try KeyPairs.pair(misfit.kind)
        #expect(throws: CryptographyError.invalidInput("algorithm of another key kind")) {
            _ = try pair.publicKey.encrypt(Secret(copying: [1]), with: misfit.algorithm)
        }
        #expect(throws: CryptographyError.invalidInput("algorithm of another key kind")) {
            _ = try pair.decrypt([1], with: misfit.algorithm)
        }
    }

    @Test func `refuses an ephemeral key off the curve`() throws {
        let pair = try PrivateKey.generate(.ellipticCurve(.p256))
        var message = try pair.publicKey.encrypt(
            Secret(copying: [1, 2, 3]),
            with: .ecies(.sha256, .zero)
        )
        message[64] ^= 1
        #expect(throws: CryptographyError.invalidInput("point not on P-256")) {
            _ = try pair.decrypt(message, with: .ecies(.sha256, .zero))
        }
    }
}
