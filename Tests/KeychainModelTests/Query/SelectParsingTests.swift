import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `Parsing a search` {
    private static let reference = AttributeValue.data(
        PersistentReference(itemClass: .genericPassword, uuid: Array(repeating: 0, count: 16))
            .encoded
    )
    private static let row = AttributeValue.data(
        Array(String.genericPassword.utf8) + Array(repeating: 1, count: 8)
    )

    @Test(
        arguments: [
            ParserCase("the class alone", [:]),
            ParserCase(
                "accessibility",
                [.accessible: .string(.whenUnlocked)],
                .success,
                [.accessibleInSearch]
            ),
            ParserCase("a value", [.valueData: .data([1])], .success, [.valueDataInSearch]),
            ParserCase(
                "case",
                [.matchCaseInsensitive: .bool(true)],
                .success,
                [.caseInsensitive]
            ),
            ParserCase("case as is", [.matchCaseInsensitive: .bool(false)]),
            ParserCase(
                "case, honored",
                [.matchCaseInsensitive: .bool(true)],
                .success,
                [],
                .documented { $0.matchCaseInsensitive = .honor }
            ),
            ParserCase("a match key that does not exist", ["m_Nothing": .bool(true)]),
            ParserCase(
                "a list of items to match",
                [.matchItemList: .array([])],
                .success,
                [.itemListIgnored]
            ),
            ParserCase("a list of keychains", [.matchSearchList: .array([])]),
            ParserCase("a subject", [.matchSubjectContains: .string("x")]),
            ParserCase("an e-mail address", [.matchEmailAddress: .string("x")]),
            ParserCase("a number as e-mail", [.matchEmailAddress: .number(1)], .param),
            ParserCase("a moment", [.matchValidOnDate: .date(0)]),
            ParserCase("now", [.matchValidOnDate: .null]),
            ParserCase("text as moment", [.matchValidOnDate: .string("now")], .param),
            ParserCase("a number as trust", [.matchTrustedOnly: .number(1)], .param),
            ParserCase("issuers", [.matchIssuers: .array([])], .unimplemented),
            ParserCase("no policy", [.matchPolicy: .unsupported(typeName: "x")], .param),
            ParserCase("a policy", [.matchPolicy: .policy(.init(.any))], .unimplemented),
            ParserCase("a host", [.matchHostOrSubdomain: .string("x")], .unimplemented),
            ParserCase(
                "a host of servers",
                .of(.internetPassword, [.matchHostOrSubdomain: .string("x")])
            ),
            ParserCase("a limit by word", [.matchLimit: .string("two")], .param),
            ParserCase("a limit by half", [.matchLimit: .real(0.5)], .param),
            ParserCase("skipping", [.useAuthenticationUI: .string(.interfaceSkip)]),
        ]
    )
    func `judges keys`(row: ParserCase) { expect(row, on: .of(.genericPassword)) }

    @Test(
        .requirement("QRY-30"),
        arguments: [
            ParserCase("a reference alone", [.valuePersistentReference: reference]),
            ParserCase(
                "a reference and an account",
                [.valuePersistentReference: reference, .account: .string("x")],
                .param
            ),
            ParserCase(
                "a reference and a group",
                [.valuePersistentReference: reference, .accessGroup: .string("x")],
                .param
            ),
            ParserCase(
                "a reference and return keys",
                [
                    .valuePersistentReference: reference, .returnData: .bool(true),
                    .matchLimit: .number(1),
                ]
            ),
            ParserCase(
                "a row and an account",
                [.valuePersistentReference: row, .account: .string("x")]
            ),
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
        let base: AttributeDictionary = .of(.internetPassword)
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
            .account: .string("a"), .port: .string("443"), .protocolName: .string("htps"),
            .creationDate: .date(2),
            .accessControl: .accessControl(AccessControl(protection: .always)),
            .accessGroup: .string("group"), .accessible: .string(.whenUnlockedThisDeviceOnly),
            .tombstone: .number(1),
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
            (.number(1), .synchronized), (.string("0"), .local),
            (.string(.synchronizableAny), .any),
        ]
    )
    func `looks for local items, synchronizable ones, or both`(
        value: AttributeValue,
        expected: SynchronizableFilter
    ) throws {
        #expect(try parse([.synchronizable: value]).selection.synchronizable == expected)
    }

    @Test func `looks for both by a persistent reference`() throws {
        let uuid = [UInt8](repeating: 3, count: 16)
        let reference = PersistentReference(itemClass: .internetPassword, uuid: uuid)
        let query = try parse([.valuePersistentReference: .data(reference.encoded)])
        #expect(query.selection.reference == reference)
        #expect(query.selection.synchronizable == .any)
    }

    @Test(
        arguments: [
            ([.useAuthenticationUI: .string(.interfaceAllow)], .allow),
            ([.useAuthenticationUI: .string(.interfaceFail)], .fail),
            ([.useAuthenticationUI: .string(.interfaceSkip)], .skip),
            ([.useNoAuthenticationUI: .bool(true)], .fail),
            ([.useNoAuthenticationUI: .bool(false)], .allow),
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
            .matchHostOrSubdomain: .string("example.com"), .matchCaseInsensitive: .bool(true),
        ]
        let query = try parse(entries)
        #expect(query.selection.filters == [.hostOrSubdomain(of: "example.com")])
        #expect(!query.selection.ignoresCase)
        let honored = try parse(entries, .documented { $0.matchCaseInsensitive = .honor })
        #expect(honored.selection.ignoresCase)
    }

    @Test func `counts the kinds that it returns`() throws {
        let query = try parse([
            .returnData: .bool(true), .returnAttributes: .bool(true),
            .returnReference: .bool(false),
        ])
        #expect(query.returns.count == 2)
        #expect(query.returns.data)
        #expect(query.returns.attributes)
        #expect(!query.returns.reference)
        #expect(!query.returns.persistentReference)
    }
}
