import KeychainModel
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
            ParserCase("class and accessibility", ["pdmn": .string("ak")]),
            ParserCase("no accessibility", [:], .success, [.missingAccessible]),
            ParserCase("an access control instead", ["accc": gated]),
            ParserCase("return keys", ["pdmn": .string("ak"), "r_Data": .bool(true)]),
            ParserCase(
                "a match key",
                ["pdmn": .string("ak"), "m_Limit": .string("m_LimitOne")],
                .param,
                [.matchKeyInWrite]
            ),
            ParserCase(
                "a match key that does not exist",
                ["pdmn": .string("ak"), "m_Nothing": .bool(true)],
                .param,
                [.matchKeyInWrite]
            ),
            ParserCase(
                "a match key on a Mac",
                ["pdmn": .string("ak"), "m_Limit": .string("m_LimitOne")],
                .success,
                [.matchKeyInWrite],
                on: .macOS(26)
            ),
            ParserCase("an identity", ["class": .string("idnt")], .param),
            ParserCase(
                "skipping items with a prompt",
                ["u_AuthUI": .string("u_AuthUIS")],
                .param,
                [.skipInterfaceMisuse]
            ),
            ParserCase(
                "a reference to a row",
                ["v_PersistentRef": .data(Array("genp".utf8) + Array(repeating: 0, count: 8))],
                .param
            ),
        ]
    )
    func `judges keys`(row: ParserCase) { expect(row, on: ["class": .string("genp")]) }

    @Test(
        .requirement("CLS-15", "CLS-16"),
        arguments: [
            ParserCase("inet", ["class": .string("inet"), "gena": .data([])], .noSuchAttribute),
            ParserCase("inet", ["class": .string("inet"), "svce": .data([])], .noSuchAttribute),
            ParserCase("genp", ["class": .string("genp"), "srvr": .data([])], .noSuchAttribute),
            ParserCase("genp", ["class": .string("genp"), "port": .number(1)], .noSuchAttribute),
            ParserCase("cert", ["class": .string("cert"), "acct": .data([])], .noSuchAttribute),
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
                ["class": .string("cert"), "atag": .data([1])],
                .param,
                [.tagOnCertificate]
            ),
            ParserCase(
                "appleSource",
                ["class": .string("cert"), "atag": .data([1])],
                .noSuchAttribute,
                [.tagOnCertificate],
                .appleSource
            ),
            ParserCase("documented", ["class": .string("keys")], .param, [.keyWithoutType]),
            ParserCase(
                "appleSource",
                ["class": .string("keys")],
                .success,
                [.keyWithoutType],
                .appleSource
            ),
            ParserCase("with type", ["class": .string("keys"), "type": .string("42")]),
        ]
    )
    func `follows the switches for certificates and keys`(row: ParserCase) {
        expect(row, on: ["pdmn": .string("ak")])
    }

    @Test(
        arguments: [
            ParserCase("true", ["sync": .bool(true), "pdmn": .string("ak")]),
            ParserCase("any", ["sync": .string("syna"), "pdmn": .string("aku")]),
            ParserCase(
                "of this device only",
                ["sync": .bool(true), "pdmn": .string("aku")],
                .param,
                [.synchronizableThisDeviceOnly]
            ),
            ParserCase(
                "of this device only, as in the source",
                ["sync": .number(1), "pdmn": .string("cku")],
                .success,
                [.synchronizableThisDeviceOnly],
                .appleSource
            ),
            ParserCase(
                "with an access control",
                ["sync": .bool(true), "accc": gated],
                .param,
                [.gatedAndSynchronizable]
            ),
        ]
    )
    func `judges synchronizable items`(row: ParserCase) {
        expect(row, on: ["class": .string("genp")])
    }

    @Test(
        arguments: [
            ParserCase(
                "that differ",
                ["pdmn": .string("ck"), "accc": plain],
                .param,
                [.accessibleAndAccessControl]
            ),
            ParserCase(
                "that differ, as in the source",
                ["pdmn": .string("ck"), "accc": plain],
                .param,
                [.accessibleAndAccessControl],
                .appleSource
            ),
            ParserCase(
                "that differ in a constraint",
                ["pdmn": .string("ak"), "accc": gated],
                .param,
                [.accessibleAndAccessControl],
                .appleSource
            ),
            ParserCase(
                "that agree",
                ["pdmn": .string("ak"), "accc": plain],
                .param,
                [.agreeingAccessControl]
            ),
            ParserCase(
                "that agree, as in the source",
                ["pdmn": .string("ak"), "accc": plain],
                .success,
                [.agreeingAccessControl],
                .appleSource
            ),
        ]
    )
    func `judges an accessibility beside an access control`(row: ParserCase) {
        expect(row, on: ["class": .string("genp")])
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
        expect(row, on: ["class": .string("genp"), "pdmn": .string("dk")])
        expect(row, on: ["class": .string("genp"), "pdmn": .string("dku")])
    }

    @Test(arguments: [(7, SecurityStatus.param), (8, .success)])
    func `knows WhenPasscodeSet since iOS 8`(version: Int, status: SecurityStatus) {
        let row = ParserCase("akpu", ["pdmn": .string("akpu")], status, on: .iOS(version))
        expect(row, on: ["class": .string("genp")])
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
            "class": .string("genp"), "acct": .data([0x61]), "crtr": .string("7"),
            "cdat": .date(1), "mdat": .date(1), "musr": .null, "tomb": .number(1),
            "agrp": .string("group"), "sync": .string("1"), "pdmn": .string("ck"),
        ])
        #expect(query.attributes == [.account: .data([0x61]), .creator: .number(7)])
        #expect(query.accessGroup == "group")
        #expect(query.isSynchronizable)
        #expect(query.protection == .afterFirstUnlock)
        #expect(query.data == nil)
        #expect(query.returns.isEmpty)
    }

    @Test(arguments: [
        ("genp", ProtectionClass.whenUnlocked), ("inet", .whenUnlocked), ("cert", .always),
    ])
    func `has the class's accessibility by default`(
        letters: String,
        expected: ProtectionClass
    ) throws {
        #expect(try parse(["class": .string(letters)]).protection == expected)
    }

    @Test func `takes the accessibility of its access control`() throws {
        let control = AccessControl(protection: .afterFirstUnlock, flags: .devicePasscode)
        let query = try parse(["class": .string("genp"), "accc": .accessControl(control)])
        #expect(query.protection == .afterFirstUnlock)
        #expect(query.accessControl == control)
    }

    @Test(
        arguments: [
            ("dk", ProtectionClass.afterFirstUnlock), ("dku", .afterFirstUnlockThisDeviceOnly),
        ]
    )
    func `is remapped from Always where the switch says so`(
        code: String,
        expected: ProtectionClass
    ) throws {
        let query = try parse(
            ["class": .string("genp"), "pdmn": .string(code)],
            .documented { $0.deprecatedAlways = .remapToAfterFirstUnlock }
        )
        #expect(query.protection == expected)
    }

    @Test func `asks for any as a local item`() throws {
        let query = try parse(["class": .string("genp"), "sync": .string("syna")])
        #expect(!query.isSynchronizable)
    }

    @Test(
        arguments: [
            (4096, SecurityStatus.success, false), (4097, .success, true),
            (1 << 20, .success, true), (16 << 20, .success, true),
            ((16 << 20) + 1, .dataTooLarge, false),
        ]
    )
    func `is told about a large value, and refused a huge one`(
        byteCount: Int,
        status: SecurityStatus,
        isNoted: Bool
    ) {
        let secret = SharedSecret(Secret(byteCount: byteCount) { _ in })
        let row = ParserCase("value", ["v_Data": .secret(secret)])
        let dictionary = row.dictionary(on: ["class": .string("genp"), "pdmn": .string("ak")])
        let verdict = row.judge(.add) { parser throws(KeychainError) in
            _ = try parser.add(dictionary)
        }
        #expect(verdict.status == status)
        #expect(verdict.rules == (isNoted ? [DiagnosticRule.largeValue.rawValue] : []))
    }
}
