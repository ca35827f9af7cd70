import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `Validating an access control` {
    private static let contradictions: [(AccessControl.Flags, AccessControlError)] = [
        ([.or, .and], .bothOperators),
        ([.biometryAny, .biometryCurrentSet, .or], .bothBiometryKinds),
        ([.userPresence, .devicePasscode, .or], .userPresenceCombined),
        ([.userPresence, .or], .userPresenceCombined),
        (AccessControl.Flags(rawValue: 1 << 40), .unknownFlag),
    ]

    @Test(.requirement("SAC-17")) func `follows the switch for a missing operator`() throws {
        let flags: AccessControl.Flags = [.biometryAny, .devicePasscode]
        #expect(throws: AccessControlError.missingOperator) {
            try AccessControl.validate(
                flags: flags,
                protection: .whenUnlocked,
                missingOperatorIsAnd: false
            )
        }
        let control = try AccessControl.validate(
            flags: flags,
            protection: .whenUnlocked,
            missingOperatorIsAnd: true
        )
        #expect(control == AccessControl(protection: .whenUnlocked, flags: flags))
    }

    @Test(
        .requirement("SAC-19", "SAC-20", "SAC-21"),
        arguments: contradictions
    )
    func `names the rule that is broken whatever the switch says`(
        flags: AccessControl.Flags,
        expected: AccessControlError
    ) {
        #expect(throws: expected) {
            try AccessControl.validate(
                flags: flags,
                protection: .whenUnlocked,
                missingOperatorIsAnd: true
            )
        }
    }

    @Test(.requirement("SAC-02"), arguments: ["", "x", "akp", "akpu ", "f"])
    func `refuses a protection that names no class`(code: String) {
        #expect(throws: AccessControlError.unknownProtection) {
            try AccessControl.validate(flags: [], protection: code, missingOperatorIsAnd: false)
        }
    }

    @Test(.requirement("SAC-22")) func `demands nobody without constraints`() {
        #expect(!AccessControl(protection: .always).flags.demandsPerson)
        #expect(!AccessControl.Flags([.applicationPassword, .privateKeyUsage]).demandsPerson)
        #expect(AccessControl.Flags.userPresence.demandsPerson)
    }

    @Test func `explains every refusal in a sentence of its own`() {
        let sentences = Set(AccessControlError.allCases.map(\.message))
        #expect(sentences.count == AccessControlError.allCases.count)
    }
}
