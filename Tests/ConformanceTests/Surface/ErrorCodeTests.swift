import Security
import TestSupport
import Testing

@Suite struct `Status codes` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: OSStatus
        let expected: OSStatus

        init(_ name: String, _ code: OSStatus, _ expected: OSStatus) {
            self.testDescription = name
            self.code = code
            self.expected = expected
        }
    }

    static let documented = [
        Row("errSecSuccess", errSecSuccess, 0),
        Row("errSecUnimplemented", errSecUnimplemented, -4),
        Row("errSecParam", errSecParam, -50),
        Row("errSecAllocate", errSecAllocate, -108),
        Row("errSecUserCanceled", errSecUserCanceled, -128),
        Row("errSecPkcs12VerifyFailure", errSecPkcs12VerifyFailure, -25264),
        Row("errSecNotAvailable", errSecNotAvailable, -25291),
        Row("errSecAuthFailed", errSecAuthFailed, -25293),
        Row("errSecDuplicateItem", errSecDuplicateItem, -25299),
        Row("errSecItemNotFound", errSecItemNotFound, -25300),
        Row("errSecNoSuchAttr", errSecNoSuchAttr, -25303),
        Row("errSecInvalidItemRef", errSecInvalidItemRef, -25304),
        Row("errSecNoSuchClass", errSecNoSuchClass, -25306),
        Row("errSecInteractionNotAllowed", errSecInteractionNotAllowed, -25308),
        Row("errSecDecode", errSecDecode, -26275),
        Row("errSecMissingEntitlement", errSecMissingEntitlement, -34018),
        Row("errSecRestrictedAPI", errSecRestrictedAPI, -34020),
        Row("errSecVerifyFailed", errSecVerifyFailed, -67808),
    ]

    @Test(
        .requirement("ERR-12", "ERR-13", "ERR-14"),
        .contradiction("numeric-values"),
        arguments: documented
    )
    func `have Apple's numbers`(row: Row) {
        #expect(row.code == row.expected)
    }

    @Test(.requirement("API-23")) func `each have a sentence of their own`() {
        let sentences = Self.documented.map { message(of: $0.code) }
        #expect(sentences.allSatisfy { !$0.isEmpty && !$0.hasPrefix("OSStatus") })
        #expect(Set(sentences).count == sentences.count)
    }

    @Test(.requirement("API-23"), arguments: [OSStatus.min, -1, 1, .max])
    func `without a name are spelled by number`(code: OSStatus) {
        #expect(message(of: code) == "OSStatus \(code)")
    }

    private func message(of code: OSStatus) -> String {
        (SecCopyErrorMessageString(code, nil) as String?) ?? ""
    }
}
