import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@Suite struct `Parsing an add` {
    private static let gated = AttributeValue.accessControl(
        AccessControl(protection: .whenUnlocked, flags: .userPresence)
    )
    private static let plain = AttributeValue.accessControl(
        AccessControl(protection: .whenUnlocked)
    )

    @Test(
        arguments: [
            ParserCase("class and accessibility", [.accessible: .string(.whenUnlocked)]),
            ParserCase("no accessibility", [:], .success, [.missingAccessible]),
            ParserCase("an access control instead", [.accessControl: gated]),
            ParserCase(
                "return keys",
                [.accessible: .string(.whenUnlocked), .returnData: .bool(true)]
            ),
            ParserCase(
                "a match key",
                [.accessible: .string(.whenUnlocked), .matchLimit: .string(.limitOne)],
                .param,
                [.matchKeyInWrite]
            ),
            ParserCase(
                "a match key that does not exist",
                [.accessible: .string(.whenUnlocked), "m_Nothing": .bool(true)],
                .param,
                [.matchKeyInWrite]
            ),
            ParserCase(
                "a match key on a Mac",
                [.accessible: .string(.whenUnlocked), .matchLimit: .string(.limitOne)],
                .success,
                [.matchKeyInWrite],
                on: .macOS(26)
            ),
            ParserCase("an identity", .of(.identity), .param),
            ParserCase(
                "skipping items with a prompt",
                [.useAuthenticationUI: .string(.interfaceSkip)],
                .param,
                [.skipInterfaceMisuse]
            ),
            ParserCase(
                "a reference to a row",
                [
                    .valuePersistentReference: .data(
                        Array(String.genericPassword.utf8) + Array(repeating: 0, count: 8)
                    )
                ],
                .param
            ),
        ]
    )
    func `judges keys`(row: ParserCase) { expect(row, on: .of(.genericPassword)) }

    @Test(
        .requirement("CLS-15", "CLS-16"),
        arguments: [
            ParserCase(
                "a generic attribute of an internet password",
                .of(.internetPassword, [.generic: .data([])]),
                .noSuchAttribute
            ),
            ParserCase(
                "a service of an internet password",
                .of(.internetPassword, [.service: .data([])]),
                .noSuchAttribute
            ),
            ParserCase(
                "a server of a generic password",
                .of(.genericPassword, [.server: .data([])]),
                .noSuchAttribute
            ),
            ParserCase(
                "a port of a generic password",
                .of(.genericPassword, [.port: .number(1)]),
                .noSuchAttribute
            ),
            ParserCase(
                "an account of a certificate",
                .of(.certificate, [.account: .data([])]),
                .noSuchAttribute
            ),
        ]
    )
    func `refuses another class's attribute`(row: ParserCase) {
        let verdict = judge(row, on: [:])
        #expect(verdict.status == row.status)
        #expect(verdict.rules == [DiagnosticRule.attributeNotInClass.rawValue])
    }

    @Test(
        arguments: [
            ParserCase(
                "documented",
                .of(.certificate, [.applicationTag: .data([1])]),
                .param,
                [.tagOnCertificate]
            ),
            ParserCase(
                "appleSource",
                .of(.certificate, [.applicationTag: .data([1])]),
                .noSuchAttribute,
                [.tagOnCertificate],
                .appleSource
            ),
            ParserCase("documented", .of(.key), .param, [.keyWithoutType]),
            ParserCase(
                "appleSource",
                .of(.key),
                .success,
                [.keyWithoutType],
                .appleSource
            ),
            ParserCase("with type", .of(.key, [.type: .string("42")])),
        ]
    )
    func `follows the switches for certificates and keys`(row: ParserCase) {
        expect(row, on: [.accessible: .string(.whenUnlocked)])
    }

    @Test(
        arguments: [
            ParserCase(
                "true",
                [.synchronizable: .bool(true), .accessible: .string(.whenUnlocked)]
            ),
            ParserCase(
                "any",
                [
                    .synchronizable: .string(.synchronizableAny),
                    .accessible: .string(.whenUnlockedThisDeviceOnly),
                ]
            ),
            ParserCase(
                "of this device only",
                [.synchronizable: .bool(true), .accessible: .string(.whenUnlockedThisDeviceOnly)],
                .param,
                [.synchronizableThisDeviceOnly]
            ),
            ParserCase(
                "of this device only, as in the source",
                [
                    .synchronizable: .number(1),
                    .accessible: .string(.afterFirstUnlockThisDeviceOnly),
                ],
                .success,
                [.synchronizableThisDeviceOnly],
                .appleSource
            ),
            ParserCase(
                "with an access control",
                [.synchronizable: .bool(true), .accessControl: gated],
                .param,
                [.gatedAndSynchronizable]
            ),
        ]
    )
    func `judges synchronizable items`(row: ParserCase) {
        expect(row, on: .of(.genericPassword))
    }

    @Test(
        arguments: [
            ParserCase(
                "that differ",
                [.accessible: .string(.afterFirstUnlock), .accessControl: plain],
                .param,
                [.accessibleAndAccessControl]
            ),
            ParserCase(
                "that differ, as in the source",
                [.accessible: .string(.afterFirstUnlock), .accessControl: plain],
                .param,
                [.accessibleAndAccessControl],
                .appleSource
            ),
            ParserCase(
                "that differ in a constraint",
                [.accessible: .string(.whenUnlocked), .accessControl: gated],
                .param,
                [.accessibleAndAccessControl],
                .appleSource
            ),
            ParserCase(
                "that agree",
                [.accessible: .string(.whenUnlocked), .accessControl: plain],
                .param,
                [.agreeingAccessControl]
            ),
            ParserCase(
                "that agree, as in the source",
                [.accessible: .string(.whenUnlocked), .accessControl: plain],
                .success,
                [.agreeingAccessControl],
                .appleSource
            ),
        ]
    )
    func `judges an accessibility beside an access control`(row: ParserCase) {
        expect(row, on: .of(.genericPassword))
    }

    @Test(
        arguments: [
            ParserCase("original", [:], .success, [.deprecatedAlways]),
            ParserCase(
                "remapped",
                [:],
                .success,
                [.deprecatedAlways],
                .documented { $0.deprecatedAlways = .remapToAfterFirstUnlock }
            ),
            ParserCase(
                "rejected",
                [:],
                .param,
                [.deprecatedAlways],
                .documented { $0.deprecatedAlways = .reject }
            ),
        ]
    )
    func `says that Always is deprecated, whatever it means`(row: ParserCase) {
        expect(row, on: .of(.genericPassword, [.accessible: .string(.always)]))
        expect(row, on: .of(.genericPassword, [.accessible: .string(.alwaysThisDeviceOnly)]))
    }

    @Test(arguments: [(7, SecurityStatus.param), (8, .success)])
    func `knows WhenPasscodeSet since iOS 8`(version: Int, status: SecurityStatus) {
        let row = ParserCase(
            "its accessibility",
            [.accessible: .string(.whenPasscodeSetThisDeviceOnly)],
            status,
            on: .iOS(version)
        )
        expect(row, on: .of(.genericPassword))
    }

    private func judge(_ row: ParserCase, on base: AttributeDictionary) -> ParserCase.Verdict {
        let dictionary = row.dictionary(on: base)
        return row.judge(.add) { parser throws(KeychainError) in _ = try parser.add(dictionary) }
    }

    private func expect(_ row: ParserCase, on base: AttributeDictionary) {
        let verdict = judge(row, on: base)
        #expect(verdict.status == row.status)
        // What else an add without accessibility is told does not concern these tables.
        let rules = verdict.rules.filter { id in
            id != DiagnosticRule.missingAccessible.rawValue || row.expectedRules.contains(id)
        }
        #expect(rules == row.expectedRules)
    }
}

@Suite struct `A parsed add` {
    private func parse(
        _ dictionary: AttributeDictionary,
        _ behavior: BehaviorProfile = .documented
    ) throws -> AddQuery {
        let profiles = Profiles(system: .iOS(26), behavior: behavior)
        var parser = QueryParser(.add, profiles: profiles)
        return try parser.add(dictionary)
    }

    @Test func `holds coerced values without what the keychain manages`() throws {
        let query = try parse([
            .itemClass: .string(.genericPassword), .account: .data([0x61]), .creator: .string("7"),
            .creationDate: .date(1), .modificationDate: .date(1), .multiUser: .null,
            .tombstone: .number(1),
            .accessGroup: .string("group"), .synchronizable: .string("1"),
            .accessible: .string(.afterFirstUnlock),
        ])
        #expect(query.attributes == [.account: .data([0x61]), .creator: .number(7)])
        #expect(query.accessGroup == "group")
        #expect(query.isSynchronizable)
        #expect(query.protection == .afterFirstUnlock)
        #expect(query.data == nil)
        #expect(query.returns.isEmpty)
    }

    @Test(arguments: [
        (ItemClass.genericPassword, ProtectionClass.whenUnlocked),
        (.internetPassword, .whenUnlocked), (.certificate, .always),
    ])
    func `has the class's accessibility by default`(
        itemClass: ItemClass,
        expected: ProtectionClass
    ) throws {
        #expect(try parse([.itemClass: .string(itemClass.rawValue)]).protection == expected)
    }

    private static let impossible: [(label: String, flags: AccessControl.Flags)] = [
        ("an unknown bit", AccessControl.Flags(rawValue: 1 << 40)),
        ("both operators", [.or, .and, .devicePasscode]),
        ("both kinds of biometry", [.biometryAny, .biometryCurrentSet, .or]),
        ("presence beside a passcode", [.userPresence, .devicePasscode]),
    ]

    @Test(arguments: impossible) func `refuses an access control that nobody could have made`(
        label: String,
        flags: AccessControl.Flags
    ) {
        let control = AccessControl(protection: .whenUnlocked, flags: flags)
        let dictionary: AttributeDictionary = .of(
            .genericPassword,
            [.accessControl: .accessControl(control)]
        )
        #expect(throws: KeychainError.self) { try parse(dictionary) }
    }

    @Test func `takes the accessibility of its access control`() throws {
        let control = AccessControl(protection: .afterFirstUnlock, flags: .devicePasscode)
        let query = try parse(.of(.genericPassword, [.accessControl: .accessControl(control)]))
        #expect(query.protection == .afterFirstUnlock)
        #expect(query.accessControl == control)
    }

    @Test(
        arguments: [
            (ProtectionClass.always, ProtectionClass.afterFirstUnlock),
            (.alwaysThisDeviceOnly, .afterFirstUnlockThisDeviceOnly),
        ]
    )
    func `is remapped from Always where the switch says so`(
        deprecated: ProtectionClass,
        expected: ProtectionClass
    ) throws {
        let query = try parse(
            .of(.genericPassword, [.accessible: .string(deprecated.code)]),
            .documented { $0.deprecatedAlways = .remapToAfterFirstUnlock }
        )
        #expect(query.protection == expected)
    }

    @Test func `asks for any as a local item`() throws {
        let query = try parse(.of(.genericPassword, [.synchronizable: .string(.synchronizableAny)]))
        #expect(!query.isSynchronizable)
    }

    @Test(
        arguments: [
            (byteCount: 4096, status: SecurityStatus.success, isNoted: false),
            (byteCount: 4097, status: .success, isNoted: true),
            (byteCount: 1 << 20, status: .success, isNoted: true),
            (byteCount: 16 << 20, status: .success, isNoted: true),
            (byteCount: (16 << 20) + 1, status: .dataTooLarge, isNoted: false),
        ]
    )
    func `is told about a large value, and refused a huge one`(
        byteCount: Int,
        status: SecurityStatus,
        isNoted: Bool
    ) {
        let secret = SharedSecret(Secret(byteCount: byteCount) { _ in })
        let row = ParserCase("value", [.valueData: .secret(secret)])
        let dictionary = row.dictionary(
            on: .of(.genericPassword, [.accessible: .string(.whenUnlocked)])
        )
        let verdict = row.judge(.add) { parser throws(KeychainError) in
            _ = try parser.add(dictionary)
        }
        #expect(verdict.status == status)
        #expect(verdict.rules == (isNoted ? [DiagnosticRule.largeValue.rawValue] : []))
    }
}
