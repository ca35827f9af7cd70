import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `A private key that is not extractable` {
    @Test(arguments: [true, false])
    func `gives its bytes to nobody, but is found and used`(isExtractable: Bool) throws {
        let app = try SimulatedDevice().install(.init(bundleIdentifier: "com.example.app"))
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrIsExtractable as String: isExtractable,
            ],
        ]
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecReturnData as String: true,
            kSecReturnRef as String: true,
        ]
        try app.run {
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            let found = try #require(result as? [String: Any])
            #expect((found[kSecValueData as String] != nil) == isExtractable)
            let again = try #require(found[kSecValueRef as String] as? SecKey)
            #expect(again == key)
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            #expect(SecKeyCreateSignature(again, algorithm, Data([1]) as CFData, nil) != nil)
        }
    }
}
