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
        for operation in Self.operations {
            let isFor = row.suits(pair) && row.serves(operation)
            let (half, algorithm) = (pair.privateKey, row.algorithm)
            #expect(SecKeyIsAlgorithmSupported(half, operation, algorithm) == isFor)
            let needsPrivateHalf = [.sign, .decrypt, .keyExchange].contains(operation)
            let publicly = SecKeyIsAlgorithmSupported(pair.publicKey, operation, algorithm)
            #expect(publicly == (isFor && !needsPrivateHalf))
        }
    }

    @Test(
        .requirement("KEY-15"),
        arguments: ["", "algid:", "algid:sign:ECDSA", "algid:sign:RSA:raw ", "été", "\u{0}"]
    )
    func `that does not exist is supported by no key`(identifier: String) {
        let unknown = SecKeyAlgorithm(rawValue: identifier as CFString)
        for pair in KeyPair.all {
            for operation in Self.operations {
                #expect(!SecKeyIsAlgorithmSupported(pair.privateKey, operation, unknown))
            }
            #expect(Keys.sign(pair.privateKey, unknown, Data([1])).isRefusal(errSecParam))
            #expect(Keys.encrypt(pair.publicKey, unknown, Data([1])).isRefusal(errSecParam))
        }
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
