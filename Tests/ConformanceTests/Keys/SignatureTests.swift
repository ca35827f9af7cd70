import Security
import TestSupport
import Testing

@Suite struct `A signature` {
    /// What the algorithm takes: a digest of its size, or any message.
    private func input(_ use: AlgorithmUse) -> Data {
        Data((0..<(use.row.digestByteCount ?? 40)).map { UInt8($0 + 1) })
    }

    @Test(.requirement("KEY-15", "KEY-13"), arguments: AlgorithmUse.signatures)
    func `fits the data and the key it was made with`(use: AlgorithmUse) throws {
        let (input, pair) = (input(use), use.pair)
        let signature = try #require(Keys.sign(pair.privateKey, use.algorithm, input).value)
        #expect(Keys.verify(pair.publicKey, use.algorithm, input, signature).value == true)
        let changed = input.flipping(byte: 0)
        let other = Keys.verify(pair.publicKey, use.algorithm, changed, signature)
        #expect(other.isRefusal(errSecVerifyFailed))
    }

    @Test(
        .requirement("KEY-15", "KEY-13"),
        arguments: AlgorithmUse.signatures,
        [ByteChange.firstByteDiffers, .middleByteDiffers, .lastByteDiffers]
    )
    func `fits no more when it was changed`(use: AlgorithmUse, change: ByteChange) throws {
        let (input, pair) = (input(use), use.pair)
        let signature = try #require(Keys.sign(pair.privateKey, use.algorithm, input).value)
        let forged = Data(change(signature))
        let check = Keys.verify(pair.publicKey, use.algorithm, input, forged)
        #expect(check.isRefusal(errSecVerifyFailed))
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.signatures)
    func `of another key does not fit`(use: AlgorithmUse) throws {
        let input = input(use)
        let stranger = try use.pair.stranger()
        let signature = try #require(Keys.sign(stranger, use.algorithm, input).value)
        let check = Keys.verify(use.pair.publicKey, use.algorithm, input, signature)
        #expect(check.isRefusal(errSecVerifyFailed))
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.signatures)
    func `needs the private half`(use: AlgorithmUse) {
        #expect(Keys.sign(use.pair.publicKey, use.algorithm, input(use)).isRefusal(errSecParam))
    }

    @Test(
        .requirement("KEY-15"),
        arguments: AlgorithmUse.signatures.filter { $0.row.digestByteCount != nil },
        [ByteChange.emptied, .lastByteMissing, .oneByteMore]
    )
    func `of a digest needs one of the right size`(use: AlgorithmUse, change: ByteChange) {
        let wrong = Data(change(input(use)))
        #expect(Keys.sign(use.pair.privateKey, use.algorithm, wrong).isRefusal(errSecParam))
        let check = Keys.verify(use.pair.publicKey, use.algorithm, wrong, Data([1]))
        #expect(check.isRefusal(errSecParam))
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.signatures)
    func `of no meaningful form is refused`(use: AlgorithmUse) throws {
        let (input, key) = (input(use), use.pair.publicKey)
        let signature = try #require(
            Keys.sign(use.pair.privateKey, use.algorithm, input).value
        )
        let malformed = [
            Data(), Data([0]), Data(count: signature.count), Data(count: 10_000),
            Data(repeating: 0xFF, count: signature.count), signature.dropLast(),
            signature.dropFirst(), signature + [0], [0] + signature,
        ]
        let accepted = malformed.filter { bytes in
            !Keys.verify(key, use.algorithm, input, Data(bytes)).isRefusal(errSecVerifyFailed)
        }
        #expect(accepted == [])
    }

    /// ★ r and s in DER, out of range or not minimal.
    @Test(
        .requirement("KEY-15"),
        arguments: [
            "3006 020100 020100", "3006 020100 020101", "3006 020101 020100",
            "3006 0201FF 020101", "3008 02020001 02020001", "3006 020101 0201",
            "3007 020101 020101 00", "3080 020101 020101 0000", "3084FFFFFFFF", "30", "0500",
        ],
        KeyPair.curves
    )
    func `with numbers out of range is refused`(hex: String, pair: KeyPair) {
        let check = Keys.verify(
            pair.publicKey,
            .ecdsaSignatureMessageX962SHA256,
            Data("text".utf8),
            Data(hex: hex)
        )
        #expect(check.isRefusal(errSecVerifyFailed))
    }

    @Test(.requirement("KEY-15"), arguments: KeyPair.curves)
    func `of the message is that of its digest`(pair: KeyPair) throws {
        let message = Data("text".utf8)
        let digest = try OpenSSL.digest("sha256", message)
        let ofMessage = try #require(
            Keys.sign(pair.privateKey, .ecdsaSignatureMessageX962SHA256, message).value
        )
        let named = SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256
        #expect(Keys.verify(pair.publicKey, named, digest, ofMessage).value == true)
        let unnamed = SecKeyAlgorithm.ecdsaSignatureDigestX962
        #expect(Keys.verify(pair.publicKey, unnamed, digest, ofMessage).value == true)
        let fixed = try #require(
            Keys.sign(pair.privateKey, .ecdsaSignatureDigestRFC4754SHA256, digest).value
        )
        #expect(fixed.count == 2 * pair.blockByteCount)
        let check = Keys.verify(
            pair.publicKey,
            .ecdsaSignatureMessageRFC4754SHA256,
            message,
            fixed
        )
        #expect(check.value == true)
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.misfits(for: .sign))
    func `is checked, and its algorithm refused, for keys of other kinds`(misfit: AlgorithmUse) {
        let (pair, algorithm) = (misfit.pair, misfit.algorithm)
        let input = Data(count: misfit.row.digestByteCount ?? 8)
        #expect(Keys.sign(pair.privateKey, algorithm, input).isRefusal(errSecParam))
        let check = Keys.verify(pair.publicKey, algorithm, input, Data(count: 64))
        #expect(check.isRefusal(errSecParam))
    }

    /// The private half knows the public half, and verifies nothing all the same.
    @Test(arguments: KeyPair.curves + [.rsa, .ed25519])
    func `is not checked with the private half`(pair: KeyPair) throws {
        let use = try #require(AlgorithmUse.signatures.last { $0.pair == pair })
        let input = input(use)
        let signature = try #require(Keys.sign(pair.privateKey, use.algorithm, input).value)
        let check = Keys.verify(pair.privateKey, use.algorithm, input, signature)
        #expect(check.isRefusal(pair == .rsa ? errSecVerifyFailed : errSecParam))
        #expect(Keys.verify(pair.publicKey, use.algorithm, input, signature).value == true)
    }

    /// Keys of every usual size; large ones take seconds to make.
    private static let sized = [2048, 3072, 4096].map { bitCount in
        Keys.make([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bitCount]).value
    }

    @Test(
        .requirement("KEY-13"),
        arguments: [2048, 3072, 4096],
        [
            SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256, .rsaSignatureMessagePSSSHA256,
        ]
    )
    func `of an RSA key of every usual size fits`(
        bitCount: Int,
        algorithm: SecKeyAlgorithm
    ) throws {
        let index = try #require([2048, 3072, 4096].firstIndex(of: bitCount))
        let made = try #require(Self.sized[index])
        // Once around through its bytes, so that the key that signs is an imported one.
        let bytes = try #require(Keys.export(made).value)
        let key = try #require(Keys.read(bytes, KeyPair.rsa.form(isPrivate: true)).value)
        let publicKey = try #require(SecKeyCopyPublicKey(made))
        let message = Data("text".utf8)
        let signature = try #require(Keys.sign(key, algorithm, message).value)
        #expect(signature.count == bitCount / 8)
        #expect(Keys.verify(publicKey, algorithm, message, signature).value == true)
    }
}
