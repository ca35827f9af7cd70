import KeychainSimulator
import LocalAuthentication
import TestSupport
import Testing

/// Who stands in front of the device.
enum Visitor: String, Sendable, CaseIterable {
    case owner, strangerWhoKnowsThePasscode, ownerWhoForgotThePasscode, stranger

    var user: SimulatedUser {
        switch self {
        case .owner: .owner
        case .strangerWhoKnowsThePasscode: SimulatedUser(biometric: "stranger", passcode: "0000")
        case .ownerWhoForgotThePasscode: SimulatedUser(biometric: "owner", passcode: "1111")
        case .stranger: SimulatedUser(biometric: "stranger", passcode: "1111")
        }
    }
}

/// ★ What each combination of flags asks, and of whom it takes what.
struct FactorRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let flags: SecAccessControlCreateFlags
    /// By visitor: the status, and the prompts that lead to it.
    let outcomes: [Visitor: (OSStatus, [PromptRecord.Kind])]

    init(
        _ description: String,
        _ flags: SecAccessControlCreateFlags,
        owner: (OSStatus, [PromptRecord.Kind]),
        passcodeOnly: (OSStatus, [PromptRecord.Kind]),
        faceOnly: (OSStatus, [PromptRecord.Kind]),
        neither: (OSStatus, [PromptRecord.Kind])
    ) {
        testDescription = description
        self.flags = flags
        outcomes = [
            .owner: owner, .strangerWhoKnowsThePasscode: passcodeOnly,
            .ownerWhoForgotThePasscode: faceOnly, .stranger: neither,
        ]
    }

    private static let refused = errSecAuthFailed

    /// Biometry is asked for first; the passcode takes over where it may.
    static let either: [FactorRow] = [
        ("user presence", [.userPresence]),
        ("any biometry or passcode", [.biometryAny, .or, .devicePasscode]),
        ("current biometry or passcode", [.biometryCurrentSet, .or, .devicePasscode]),
    ].map { (name: String, flags: SecAccessControlCreateFlags) in
        FactorRow(
            name,
            flags,
            owner: (0, [.biometry]),
            passcodeOnly: (0, [.biometry, .passcode]),
            faceOnly: (0, [.biometry]),
            neither: (refused, [.biometry, .passcode])
        )
    }

    static let single: [FactorRow] = [
        FactorRow(
            "any biometry",
            .biometryAny,
            owner: (0, [.biometry]),
            passcodeOnly: (refused, [.biometry]),
            faceOnly: (0, [.biometry]),
            neither: (refused, [.biometry])
        ),
        FactorRow(
            "current biometry",
            .biometryCurrentSet,
            owner: (0, [.biometry]),
            passcodeOnly: (refused, [.biometry]),
            faceOnly: (0, [.biometry]),
            neither: (refused, [.biometry])
        ),
        FactorRow(
            "passcode",
            .devicePasscode,
            owner: (0, [.passcode]),
            passcodeOnly: (0, [.passcode]),
            faceOnly: (refused, [.passcode]),
            neither: (refused, [.passcode])
        ),
    ]

    static let both: [FactorRow] = [
        ("any biometry and passcode", [.biometryAny, .and, .devicePasscode]),
        ("current biometry and passcode", [.biometryCurrentSet, .and, .devicePasscode]),
    ].map { (name: String, flags: SecAccessControlCreateFlags) in
        FactorRow(
            name,
            flags,
            owner: (0, [.biometry, .passcode]),
            passcodeOnly: (refused, [.biometry]),
            faceOnly: (refused, [.biometry, .passcode]),
            neither: (refused, [.biometry])
        )
    }

    /// A flag that only admits the use of private keys demands nothing of a password.
    static let free = FactorRow(
        "no constraint",
        [],
        owner: (0, []),
        passcodeOnly: (0, []),
        faceOnly: (0, []),
        neither: (0, [])
    )

    static let all = either + single + both + [free]
}

@Suite struct `A constraint` {
    @Test(
        .requirement("SAC-07", "SAC-10", "SAC-11", "SAC-12", "SAC-22"),
        arguments: FactorRow.all,
        Visitor.allCases
    )
    func `is met by what its flags name`(row: FactorRow, visitor: Visitor) throws {
        let gated = try GatedApp()
        #expect(gated.add(row.flags) == errSecSuccess)
        #expect(gated.takePrompts() == [])
        gated.device.user = visitor.user
        let (status, prompts) = try #require(row.outcomes[visitor])
        #expect(gated.read() == status)
        #expect(gated.takePrompts() == prompts)
        gated.device.user = .owner
        #expect(gated.read() == errSecSuccess)
    }

    @Test(.requirement("SAC-05", "SAC-06"))
    func `of presence is proven by a face first, and by passcode without one`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry])
        gated.device.user.biometric = "stranger"
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .passcode])
        try gated.device.removeEnrollment("owner")
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode])
        #expect(gated.add(.userPresence, account: "bob") == errSecSuccess)
        #expect(gated.read(account: "bob") == errSecSuccess)
    }

    @Test(.requirement("SAC-05", "SAC-06"), arguments: [SimulatedDevice.Biometry.none, .touchID])
    func `of presence asks for what the device has`(biometry: SimulatedDevice.Biometry) throws {
        let gated = try GatedApp(biometry: biometry)
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [biometry == .none ? .passcode : .biometry])
    }

    @Test(.requirement("SAC-07"))
    func `of presence differs from biometry or passcode only where nobody is enrolled`() throws {
        let gated = try GatedApp()
        try gated.device.removeEnrollment("owner")
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode])
        let spelledOut: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]
        #expect(gated.add(spelledOut, account: "bob") == errSecAuthFailed)
        #expect(gated.read(account: "bob") == errSecItemNotFound)
        try gated.device.enroll("owner")
        #expect(gated.add(spelledOut, account: "bob") == errSecSuccess)
    }

    @Test(.requirement("BIO-20"))
    func `that takes the passcode as well opens when biometry is gone`() throws {
        let gated = try GatedApp()
        #expect(gated.add([.biometryAny, .or, .devicePasscode]) == errSecSuccess)
        #expect(gated.add(.biometryAny, account: "bob") == errSecSuccess)
        try gated.device.removeEnrollment("owner")
        #expect(gated.read(account: "bob") == errSecAuthFailed)
        #expect(gated.takePrompts() == [])
        #expect(gated.read() == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode])
    }

    @Test(.requirement("SAC-27", "BIO-07"), arguments: [true, false])
    func `of biometry fails where nobody is enrolled, at the add too`(hasSensor: Bool) throws {
        let gated = try GatedApp(biometry: hasSensor ? .faceID : .none)
        if hasSensor {
            #expect(gated.add(.biometryAny, account: "earlier") == errSecSuccess)
            try gated.device.removeEnrollment("owner")
            #expect(gated.read(account: "earlier") == errSecAuthFailed)
        }
        #expect(gated.add(.biometryAny) == errSecAuthFailed)
        #expect(gated.add(.biometryCurrentSet) == errSecAuthFailed)
        #expect(gated.read() == errSecItemNotFound)
        #expect(gated.takePrompts() == [])
    }

    @Test(.requirement("SAC-08"), arguments: [SimulatedDevice.Biometry.faceID, .touchID])
    func `of any biometry survives changes of the enrolment`(
        biometry: SimulatedDevice.Biometry
    ) throws {
        let gated = try GatedApp(biometry: biometry)
        #expect(gated.add(.biometryAny) == errSecSuccess)
        try gated.device.enroll("second")
        #expect(gated.read() == errSecSuccess)
        try gated.device.removeEnrollment("owner")
        #expect(gated.read() == errSecAuthFailed)
        gated.device.user.biometric = "second"
        #expect(gated.read() == errSecSuccess)
    }
}
