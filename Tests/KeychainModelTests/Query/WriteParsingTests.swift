import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `Parsing the new values of an update` {
    private static let control = AttributeValue.accessControl(AccessControl(protection: .always))

    @Test(
        .requirement("QRY-09"),
        arguments: [
            .itemClass, .matchLimit, "m_Nothing", .returnData, .useAuthenticationUI,
            .valueReference, .valuePersistentReference,
            "longer",
        ]
    )
    func `take nothing but attributes and a value`(key: String) {
        let entries: AttributeDictionary = [key: .string(.genericPassword)]
        let rule = DiagnosticRule.foreignUpdateKey
        expect(ParserCase(key, entries, .param, [rule]))
        expect(ParserCase(key, entries, .noSuchAttribute, [rule], .appleSource))
    }

    @Test(
        arguments: [
            ParserCase("nothing", [:]),
            ParserCase("a value", [.valueData: .data([1])]),
            ParserCase("text as value", [.valueData: .string("x")], .param),
            ParserCase("a part of the primary key", [.account: .string("new")]),
            ParserCase("a wrong type", [.label: .bool(true)], .param),
            ParserCase("no value", [.label: .null], .param),
            ParserCase("keys without effect", [.noLegacy: .bool(true), "f_x": .null]),
            ParserCase(
                "what the keychain manages",
                [.modificationDate: .date(1), .multiUser: .data([])]
            ),
            ParserCase("a creation date", [.creationDate: .date(1)]),
            ParserCase("keys that are no strings", .foreignKeys(1), .param),
            ParserCase("too many keys", .ignoredKeys(129), .param),
            ParserCase(
                "another class's attribute",
                [.server: .string("x")],
                .noSuchAttribute,
                [.attributeNotInClass]
            ),
            ParserCase(
                "another class's attribute, as in the source",
                [.server: .string("x")],
                .noSuchAttribute,
                [.attributeNotInClass],
                .appleSource
            ),
            ParserCase(
                "an access control",
                [.accessControl: control],
                .param,
                [.accessControlUpdate]
            ),
            ParserCase(
                "an access control, as in the source",
                [.accessControl: control],
                .success,
                [.accessControlUpdate],
                .appleSource
            ),
            ParserCase("text as access control", [.accessControl: .string(.whenUnlocked)], .param),
            ParserCase("an accessibility", [.accessible: .string(.afterFirstUnlockThisDeviceOnly)]),
            ParserCase(
                "a deprecated one",
                [.accessible: .string(.always)],
                .success,
                [.deprecatedAlways]
            ),
            ParserCase("an unknown one", [.accessible: .string("f")], .param),
            ParserCase("a group", [.accessGroup: .string("x")]),
            ParserCase(
                "a group where items stay",
                [.accessGroup: .string("x")],
                .param,
                [],
                .documented { $0.accessGroupUpdate = .reject }
            ),
            ParserCase("an app clip's mark", [.appClipItem: .number(1)], .param),
        ]
    )
    func `are judged`(row: ParserCase) { expect(row) }

    private func expect(_ row: ParserCase) {
        let verdict = row.judge(.update) { parser throws(KeychainError) in
            _ = try parser.update(.of(.genericPassword), with: row.entries)
        }
        #expect(verdict.status == row.status)
        #expect(verdict.rules == row.expectedRules)
    }

    @Test func `come out coerced`() throws {
        let profiles = Profiles(system: .iOS(26), behavior: .documented)
        var parser = QueryParser(.update, profiles: profiles)
        let query = try parser.update(
            .of(.genericPassword, [.account: .string("a")]),
            with: [
                .label: .number(3), .type: .string("5"), .accessible: .string(.afterFirstUnlock),
                .synchronizable: .bool(true), .accessGroup: .string("g"),
                .modificationDate: .date(9), .valueData: .data([1]),
            ]
        )
        #expect(query.selection.terms == [.account: .string("a")])
        #expect(query.changes.attributes == [.label: .number(3), .type: .number(5)])
        #expect(query.changes.protection == .afterFirstUnlock)
        #expect(query.changes.isSynchronizable == true)
        #expect(query.changes.accessGroup == "g")
        #expect(query.changes.data?.secret.byteCount == 1)
    }
}

@Suite struct `Parsing the query of a write` {
    private static let limit: AttributeDictionary = [.matchLimit: .string(.limitAll)]
    private static let ignoring = BehaviorProfile.documented { $0.matchKeysInWrites = .ignore }
    private static let rejecting = BehaviorProfile.documented { $0.matchKeysInWrites = .reject }

    @Test(
        arguments: VerbCase.writes([
            ParserCase("on a phone", limit, .param, [.matchKeyInWrite]),
            ParserCase("on a Mac", limit, .success, [.matchKeyInWrite], on: .macOS(26)),
            ParserCase("here", limit, .success, [.matchKeyInWrite], on: .host),
            ParserCase("ignored", limit, .success, [.matchKeyInWrite], ignoring),
            ParserCase("rejected", limit, .param, [.matchKeyInWrite], on: .macOS(26), rejecting),
            ParserCase("unknown", ["m_Nothing": .null], .param, [.matchKeyInWrite]),
        ])
    )
    func `follows system and switch for match keys`(row: VerbCase) {
        let verdict = row.judge(row.call.dictionary(on: row.base))
        #expect(verdict.status == row.call.status)
        #expect(verdict.rules == row.call.expectedRules)
    }

    @Test(
        .requirement("QRY-47"),
        arguments: VerbCase.writes([
            ParserCase(
                "skip",
                [.useAuthenticationUI: .string(.interfaceSkip)],
                .param,
                [.skipInterfaceMisuse]
            )
        ]) + [
            VerbCase(
                verb: .add,
                call: ParserCase(
                    "skip",
                    [.useAuthenticationUI: .string(.interfaceSkip)],
                    .param,
                    [.skipInterfaceMisuse]
                )
            )
        ]
    )
    func `cannot skip items with a prompt`(row: VerbCase) {
        let verdict = row.judge(row.call.dictionary(on: row.base))
        #expect(verdict.status == row.call.status)
        #expect(verdict.rules == row.call.expectedRules)
    }

    @Test(
        arguments: [
            (
                Finding.Verb.update,
                ParserCase("asked", [.returnData: .bool(true)], .param, [.returnKeyInUpdate])
            ),
            (.update, ParserCase("not asked", [.returnData: .bool(false)])),
            (
                .update,
                ParserCase(
                    "asked on a Mac",
                    [.returnAttributes: .bool(true)],
                    .success,
                    [.returnKeyInUpdate],
                    on: .macOS(26)
                )
            ),
            (.delete, ParserCase("asked of a delete", [.returnData: .bool(true)])),
        ]
    )
    func `returns nothing`(verb: Finding.Verb, call: ParserCase) {
        let row = VerbCase(verb: verb, call: call)
        let verdict = row.judge(call.dictionary(on: row.base))
        #expect(verdict.status == call.status)
        #expect(verdict.rules == call.expectedRules)
    }

    @Test(
        arguments: [
            ([:], nil), ([.useTombstones: .bool(true)], true),
            ([.useTombstones: .number(0)], false),
        ] as [(AttributeDictionary, Bool?)]
    )
    func `says whether a delete leaves tombstones`(
        entries: AttributeDictionary,
        expected: Bool?
    ) throws {
        let profiles = Profiles(system: .iOS(26), behavior: .documented)
        var parser = QueryParser(.delete, profiles: profiles)
        let base: AttributeDictionary = .of(.genericPassword)
        let query = try parser.delete(ParserCase("", entries).dictionary(on: base))
        #expect(query.leavesTombstones == expected)
    }
}

extension VerbCase {
    fileprivate static func writes(_ cases: [ParserCase]) -> [VerbCase] {
        all(cases).filter { $0.verb == .update || $0.verb == .delete }
    }
}
