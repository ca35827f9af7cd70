import Security
import TestSupport
import Testing

@Suite struct `An encrypted text` {
    private static let plaintext = Data("twenty bytes of text".utf8)

    private func encrypted(_ use: AlgorithmUse) throws -> Data {
        try #require(Keys.encrypt(use.pair.publicKey, use.algorithm, Self.plaintext).value)
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.encryptions)
    func `opens with the private key alone`(use: AlgorithmUse) throws {
        let ciphertext = try encrypted(use)
        let opened = try #require(
            Keys.decrypt(use.pair.privateKey, use.algorithm, ciphertext).value
        )
        // The bare operation gives a whole block.
        #expect(opened.suffix(Self.plaintext.count) == Self.plaintext)
        #expect(opened.count == (use.row.isRaw ? use.pair.blockByteCount : 20))
        let publicly = Keys.decrypt(use.pair.publicKey, use.algorithm, ciphertext)
        #expect(publicly.isRefusal(errSecParam))
        let stranger = try use.pair.stranger()
        #expect(Keys.decrypt(stranger, use.algorithm, ciphertext).value != opened)
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.encryptions)
    func `is refused when it is cut short`(use: AlgorithmUse) throws {
        let ciphertext = try encrypted(use)
        let step = use.pair == .rsa ? 37 : 1
        let accepted = stride(from: 0, to: ciphertext.count, by: step).filter { count in
            let cut = ciphertext.prefix(count)
            return !Keys.decrypt(use.pair.privateKey, use.algorithm, cut).isRefusal(errSecParam)
        }
        #expect(accepted == [], "of \(ciphertext.count) bytes")
    }

    @Test(
        .requirement("KEY-15"),
        arguments: AlgorithmUse.encryptions.filter(\.row.isAuthenticated)
    )
    func `is refused when a bit of it changed`(use: AlgorithmUse) throws {
        let ciphertext = try encrypted(use)
        let step = use.pair == .rsa ? 29 : 5
        let accepted = stride(from: 0, to: ciphertext.count, by: step).filter { position in
            let changed = ciphertext.flipping(byte: position)
            let opened = Keys.decrypt(use.pair.privateKey, use.algorithm, changed)
            return !opened.isRefusal(errSecParam)
        }
        #expect(accepted == [])
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.encryptions.filter { !$0.row.isRaw })
    func `can be empty, and differs every time`(use: AlgorithmUse) throws {
        let empty = try #require(
            Keys.encrypt(use.pair.publicKey, use.algorithm, Data()).value
        )
        #expect(Keys.decrypt(use.pair.privateKey, use.algorithm, empty).value == Data())
        #expect(try encrypted(use) != encrypted(use))
    }

    /// ★ The most that fits into a block of 256 bytes.
    @Test(
        .requirement("KEY-15"),
        arguments: [
            (SecKeyAlgorithm.rsaEncryptionRaw, 256), (.rsaEncryptionPKCS1, 245),
            (.rsaEncryptionOAEPSHA1, 214), (.rsaEncryptionOAEPSHA224, 198),
            (.rsaEncryptionOAEPSHA256, 190), (.rsaEncryptionOAEPSHA384, 158),
            (.rsaEncryptionOAEPSHA512, 126),
        ]
    )
    func `holds as much as the padding leaves room for`(
        algorithm: SecKeyAlgorithm,
        limit: Int
    ) throws {
        let most = Data([0]) + Data(repeating: 7, count: limit - 1)
        let ciphertext = try #require(
            Keys.encrypt(KeyPair.rsa.publicKey, algorithm, most).value
        )
        #expect(Keys.decrypt(KeyPair.rsa.privateKey, algorithm, ciphertext).value == most)
        let tooMuch = Keys.encrypt(KeyPair.rsa.publicKey, algorithm, most + [0])
        #expect(tooMuch.isRefusal(errSecParam))
    }

    @Test(
        .requirement("KEY-15"),
        arguments: AlgorithmUse.encryptions.filter(\.row.isAuthenticated)
    )
    func `holds more than a block with a session key`(use: AlgorithmUse) throws {
        let long = Data(repeating: 7, count: 100_000)
        let ciphertext = try #require(
            Keys.encrypt(use.pair.publicKey, use.algorithm, long).value
        )
        let head = use.pair == .rsa ? 256 : use.pair.publicByteCount ?? 0
        #expect(ciphertext.count == head + long.count + 16)
        #expect(Keys.decrypt(use.pair.privateKey, use.algorithm, ciphertext).value == long)
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.misfits(for: .encrypt))
    func `is not made by algorithms of other keys`(misfit: AlgorithmUse) {
        let sealed = Keys.encrypt(misfit.pair.publicKey, misfit.algorithm, Self.plaintext)
        #expect(sealed.isRefusal(errSecParam))
        let opened = Keys.decrypt(misfit.pair.privateKey, misfit.algorithm, Data(count: 256))
        #expect(opened.isRefusal(errSecParam))
    }
}
