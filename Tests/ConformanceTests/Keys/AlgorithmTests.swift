import Security
import TestSupport
import Testing

@Suite struct `A key algorithm` {
    @Test(.requirement("KEY-15"), arguments: AlgorithmRow.all)
    func `has Apple's identifier`(row: AlgorithmRow) {
        #expect(row.algorithm.rawValue as String == "algid:" + row.identifier)
        let named = SecKeyAlgorithm(rawValue: "algid:\(row.identifier)" as CFString)
        #expect(named == row.algorithm && named.hashValue == row.algorithm.hashValue)
    }

    @Test(.requirement("KEY-15")) func `shares its identifier with no other`() {
        #expect(Set(AlgorithmRow.all.map(\.identifier)).count == AlgorithmRow.all.count)
        #expect(Set(AlgorithmRow.all.map(\.algorithm)).count == AlgorithmRow.all.count)
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmRow.all, KeyPair.all)
    func `is supported by the keys that it is for`(row: AlgorithmRow, pair: KeyPair) {
        func supported(by half: SecKey) -> [SecKeyOperationType] {
            Self.operations.filter { SecKeyIsAlgorithmSupported(half, $0, row.algorithm) }
        }
        let expected = Self.operations.filter { row.suits(pair) && row.serves($0) }
        // A private RSA key says that it verifies, and fails when asked to.
        let ofPrivateHalves: [SecKeyOperationType] =
            [.sign, .decrypt, .keyExchange] + (pair == .rsa ? [.verify] : [])
        let ofPublicHalves: [SecKeyOperationType] = [.verify, .encrypt]
        #expect(supported(by: pair.privateKey) == expected.filter(ofPrivateHalves.contains))
        #expect(supported(by: pair.publicKey) == expected.filter(ofPublicHalves.contains))
    }

    /// The calls refuse what the question denies.
    @Test(.requirement("KEY-15"), arguments: AlgorithmRow.all, KeyPair.all)
    func `is refused to the half that it is not for`(row: AlgorithmRow, pair: KeyPair) {
        let input = Data(count: 32)
        let encrypted = Keys.encrypt(pair.privateKey, row.algorithm, input)
        #expect(encrypted.isRefusal(errSecParam))
        let verified = Keys.verify(pair.privateKey, row.algorithm, input, input)
        let isRSA = pair == .rsa && row.suits(pair) && row.serves(.verify)
        #expect(verified.isRefusal(isRSA ? errSecVerifyFailed : errSecParam))
        #expect(Keys.sign(pair.publicKey, row.algorithm, input).isRefusal(errSecParam))
        #expect(Keys.decrypt(pair.publicKey, row.algorithm, input).isRefusal(errSecParam))
        let agreed = Keys.agree(pair.publicKey, row.algorithm, with: pair.publicKey, size: 32)
        #expect(agreed.isRefusal(errSecParam))
    }

    @Test(
        .requirement("KEY-15"),
        arguments: ["", "algid:", "algid:sign:ECDSA", "algid:sign:RSA:raw ", "été", "\u{0}"],
        KeyPair.all
    )
    func `that does not exist is supported by no key`(identifier: String, pair: KeyPair) {
        let unknown = SecKeyAlgorithm(rawValue: identifier as CFString)
        let supported = Self.operations.filter {
            SecKeyIsAlgorithmSupported(pair.privateKey, $0, unknown)
        }
        #expect(supported == [])
        #expect(Keys.sign(pair.privateKey, unknown, Data([1])).isRefusal(errSecParam))
        #expect(Keys.encrypt(pair.publicKey, unknown, Data([1])).isRefusal(errSecParam))
    }

    /// A small RSA modulus has no room for the padding of a long hash.
    @Test(
        .requirement("KEY-15"),
        arguments: [
            (algorithm: SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA256, isSupported: true),
            (algorithm: .rsaSignatureDigestPKCS1v15SHA512, isSupported: false),
            (algorithm: .rsaSignatureDigestPSSSHA1, isSupported: true),
            (algorithm: .rsaSignatureDigestPSSSHA256, isSupported: false),
            (algorithm: .rsaSignatureRaw, isSupported: true),
        ]
    )
    func `is not supported by a key that is too small for it`(
        algorithm: SecKeyAlgorithm,
        isSupported: Bool
    ) throws {
        let small = try #require(
            Keys.make([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 512]).value
        )
        #expect(SecKeyIsAlgorithmSupported(small, .sign, algorithm) == isSupported)
        #expect(SecKeyIsAlgorithmSupported(small, .verify, algorithm) == isSupported)
    }

    private static let operations: [SecKeyOperationType] = [
        .sign, .verify, .encrypt, .decrypt, .keyExchange,
    ]
}
