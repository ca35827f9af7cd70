import KeychainModel
import TestSupport
import Testing

@Suite struct `Parsing a search` {
    private static let reference = AttributeValue.data(
        PersistentReference(itemClass: .genericPassword, uuid: Array(repeating: 0, count: 16))
            .encoded
    )
    private static let row = AttributeValue.data(Array("genp".utf8) + Array(repeating: 1, count: 8))

    @Test(
        arguments: [
            ParserCase("the class alone", [:]),
            ParserCase("accessibility", ["pdmn": .string("ak")], .success, [.accessibleInSearch]),
            ParserCase("a value", ["v_Data": .data([1])], .success, [.valueDataInSearch]),
            ParserCase(
                "case",
                ["m_CaseInsensitive": .bool(true)],
                .success,
                [.caseInsensitive]
            ),
            ParserCase("case as is", ["m_CaseInsensitive": .bool(false)]),
            ParserCase(
                "case, honored",
                ["m_CaseInsensitive": .bool(true)],
                .success,
                [],
                .documented { $0.matchCaseInsensitive = .honor }
            ),
            ParserCase("a match key that does not exist", ["m_Nothing": .bool(true)]),
            ParserCase("a list of items to match", ["m_ItemList": .array([])]),
            ParserCase("a list of keychains", ["m_SearchList": .array([])]),
            ParserCase("a subject", ["m_SubjectContains": .string("x")]),
            ParserCase("an e-mail address", ["m_EmailAddressIfPresent": .string("x")]),
            ParserCase("a number as e-mail", ["m_EmailAddressIfPresent": .number(1)], .param),
            ParserCase("a moment", ["m_ValidOnDate": .date(0)]),
            ParserCase("now", ["m_ValidOnDate": .null]),
            ParserCase("text as moment", ["m_ValidOnDate": .string("now")], .param),
            ParserCase("a number as trust", ["m_TrustedOnly": .number(1)], .param),
            ParserCase("issuers", ["m_Issuers": .array([])], .unimplemented),
            ParserCase("a policy", ["m_Policy": .unsupported(typeName: "x")], .unimplemented),
            ParserCase("a host", ["m_HostOrSubdomainOfHost": .string("x")], .unimplemented),
            ParserCase(
                "a host of servers",
                ["class": .string("inet"), "m_HostOrSubdomainOfHost": .string("x")]
            ),
            ParserCase("a limit by word", ["m_Limit": .string("two")], .param),
            ParserCase("a limit by half", ["m_Limit": .real(0.5)], .param),
            ParserCase("skipping", ["u_AuthUI": .string("u_AuthUIS")]),
        ]
    )
    func `judges keys`(row: ParserCase) { expect(row, on: ["class": .string("genp")]) }

    @Test(
        .requirement("QRY-30"),
        arguments: [
            ParserCase("a reference alone", ["v_PersistentRef": reference]),
            ParserCase(
                "a reference and an account",
                ["v_PersistentRef": reference, "acct": .string("x")],
                .param
            ),
            ParserCase(
                "a reference and a group",
                ["v_PersistentRef": reference, "agrp": .string("x")],
                .param
            ),
            ParserCase(
                "a reference and return keys",
                ["v_PersistentRef": reference, "r_Data": .bool(true), "m_Limit": .number(1)]
            ),
            ParserCase("a row and an account", ["v_PersistentRef": row, "acct": .string("x")]),
        ]
    )
    func `lets a persistent reference stand alone`(row: ParserCase) { expect(row, on: [:]) }

    private func expect(_ row: ParserCase, on base: AttributeDictionary) {
        let dictionary = row.dictionary(on: base)
        let verdict = row.judge(.copyMatching) { parser throws(KeychainError) in
            _ = try parser.select(dictionary)
        }
        #expect(verdict.status == row.status)
        #expect(verdict.rules == row.expectedRules)
    }
}

@Suite struct `A parsed search` {
    private func parse(
        _ entries: AttributeDictionary,
        _ behavior: BehaviorProfile = .documented
    ) throws -> SelectQuery {
        let profiles = Profiles(system: .iOS(26), behavior: behavior)
        var parser = QueryParser(.copyMatching, profiles: profiles)
        let base: AttributeDictionary = ["class": .string("inet")]
        return try parser.select(ParserCase("", entries).dictionary(on: base))
    }

    @Test func `is for one local item of any group, and returns nothing, by default`() throws {
        let query = try parse([:])
        #expect(query.limit == .one)
        #expect(query.returns.isEmpty)
        #expect(query.authentication.interface == .allow)
        #expect(query.selection.itemClass == .internetPassword)
        #expect(query.selection.synchronizable == .local)
        #expect(query.selection.accessGroup == nil)
        #expect(query.selection.protection == nil)
        #expect(!query.selection.matchesTombstones)
        #expect(query.selection.terms.isEmpty)
        #expect(query.selection.filters.isEmpty)
    }

    @Test func `holds its terms coerced`() throws {
        let query = try parse([
            "acct": .string("a"), "port": .string("443"), "ptcl": .string("htps"),
            "cdat": .date(2), "accc": .accessControl(AccessControl(protection: .always)),
            "agrp": .string("group"), "pdmn": .string("aku"), "tomb": .number(1),
        ])
        #expect(
            query.selection.terms == [
                .account: .string("a"), .port: .number(443), .protocolName: .string("htps"),
                .creationDate: .date(2),
            ]
        )
        #expect(query.selection.accessGroup == "group")
        #expect(query.selection.protection == .whenUnlockedThisDeviceOnly)
        #expect(query.selection.matchesTombstones)
    }

    @Test(
        arguments: [
            (AttributeValue.bool(true), SynchronizableFilter.synchronized), (.bool(false), .local),
            (.number(1), .synchronized), (.string("0"), .local), (.string("syna"), .any),
        ]
    )
    func `looks for local items, synchronizable ones, or both`(
        value: AttributeValue,
        expected: SynchronizableFilter
    ) throws {
        #expect(try parse(["sync": value]).selection.synchronizable == expected)
    }

    @Test func `looks for both by a persistent reference`() throws {
        let uuid = [UInt8](repeating: 3, count: 16)
        let reference = PersistentReference(itemClass: .internetPassword, uuid: uuid)
        let query = try parse(["v_PersistentRef": .data(reference.encoded)])
        #expect(query.selection.reference == reference)
        #expect(query.selection.synchronizable == .any)
    }

    @Test(
        arguments: [
            (["u_AuthUI": .string("u_AuthUIA")], .allow),
            (["u_AuthUI": .string("u_AuthUIF")], .fail),
            (["u_AuthUI": .string("u_AuthUIS")], .skip),
            (["u_NoAuthUI": .bool(true)], .fail), (["u_NoAuthUI": .bool(false)], .allow),
        ] as [(AttributeDictionary, AuthenticationInterface)]
    )
    func `says whether a person may be asked`(
        entries: AttributeDictionary,
        expected: AuthenticationInterface
    ) throws {
        #expect(try parse(entries).authentication.interface == expected)
    }

    @Test func `filters by host, and by case where the switch says so`() throws {
        let entries: AttributeDictionary = [
            "m_HostOrSubdomainOfHost": .string("example.com"), "m_CaseInsensitive": .bool(true),
        ]
        let query = try parse(entries)
        #expect(query.selection.filters == [.hostOrSubdomain(of: "example.com")])
        #expect(!query.selection.ignoresCase)
        let honored = try parse(entries, .documented { $0.matchCaseInsensitive = .honor })
        #expect(honored.selection.ignoresCase)
    }

    @Test func `counts the kinds that it returns`() throws {
        let query = try parse([
            "r_Data": .bool(true), "r_Attributes": .bool(true), "r_Ref": .bool(false),
        ])
        #expect(query.returns.count == 2)
        #expect(query.returns.data)
        #expect(query.returns.attributes)
        #expect(!query.returns.reference)
        #expect(!query.returns.persistentReference)
    }
}
