import Testing

@Suite struct `The result of an imported function` {
    /// Calls whose results nobody uses, one a line.
    private static let quiet = """
        SecKeyCreateRandomKey(dictionary, nil)
        SecKeyCreateWithData(data, dictionary, nil)
        SecKeyCopyPublicKey(key)
        SecKeyCopyExternalRepresentation(key, nil)
        SecKeyCopyAttributes(key)
        SecKeyGetBlockSize(key)
        SecKeyGetTypeID()
        SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureRaw)
        SecKeyCreateSignature(key, .rsaSignatureRaw, data, nil)
        SecKeyVerifySignature(key, .rsaSignatureRaw, data, data, nil)
        SecKeyCreateEncryptedData(key, .rsaEncryptionRaw, data, nil)
        SecKeyCreateDecryptedData(key, .rsaEncryptionRaw, data, nil)
        SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, key, dictionary, nil)
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)
        SecCopyErrorMessageString(0, nil)
        SecCertificateCreateWithData(nil, data)
        SecPolicyCreateBasicX509()
        SecPolicyCreateSSL(true, nil)
        SecTrustCopyCertificateChain(trust)
        SecTrustGetCertificateCount(trust)
        SecTrustCopyKey(trust)
        SecItemAdd(dictionary, nil)
        SecItemCopyMatching(dictionary, nil)
        SecItemUpdate(dictionary, dictionary)
        SecItemDelete(dictionary)
        CFGetTypeID(key)
        CFDataGetLength(data)
        CFDictionaryGetCount(dictionary)
        CFDictionaryContainsKey(dictionary, bytes)
        CFDictionaryCreateMutable(nil, 0, nil, nil)
        CFArrayCreateMutable(nil, 0, nil)
        CFDataCreateMutable(nil, 0)
        CFUUIDCreate(nil)
        CFDateCreate(nil, 0)
        CFCopyDescription(key)
        CFRangeMake(0, 0)
        SecTrustGetVerifyTime(trust)
        SecTrustCopyExceptions(trust)
        SecPolicyCreateRevocation(0)
        sec_trust_create(trust)
        context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
        context.isCredentialSet(.applicationPassword)
        context.setCredential(nil, type: .applicationPassword)
        """

    /// Those of which the header says that their results are to be used.
    private static let loud = """
        SecRandomCopyBytes(kSecRandomDefault, 0, bytes)
        SecTrustEvaluateWithError(trust, nil)
        """

    @Test(arguments: ["5", "6"])
    func `may be left unused, unless Apple's header says otherwise`(version: String) throws {
        let text = """
            import Foundation
            import LocalAuthentication
            import Security

            func use(
                _ key: SecKey,
                _ trust: SecTrust,
                _ data: CFData,
                _ dictionary: CFDictionary,
                _ context: LAContext,
                _ bytes: UnsafeMutableRawPointer
            ) {
            \(Self.quiet)
            \(Self.loud)
            }
            """
        let report = try Compiler.check([("Unused.swift", text)], version: version)
        #expect(report.errors == [])
        let unused = report.warnings.filter { $0.contains("unused") }
        #expect(unused.count == 2, "\(unused)")
        #expect(unused.contains { $0.contains("SecRandomCopyBytes") })
        #expect(unused.contains { $0.contains("SecTrustEvaluateWithError") })
    }
}
