import KeychainModel
import TestSupport
import Testing

@Suite struct `Parsing the new values of an update` {
    private static let control = AttributeValue.accessControl(AccessControl(protection: .always))

    @Test(
        .requirement("QRY-09"),
        arguments: [
            "class", "m_Limit", "m_Nothing", "r_Data", "u_AuthUI", "v_Ref", "v_PersistentRef",
            "longer",
        ]
    )
    func `take nothing but attributes and a value`(key: String) {
        let entries: AttributeDictionary = [key: .string("genp")]
        let rule = DiagnosticRule.foreignUpdateKey
        expect(ParserCase(key, entries, .param, [rule]))
        expect(ParserCase(key, entries, .noSuchAttribute, [rule], .appleSource))
    }

    @Test(
        arguments: [
            ParserCase("nothing", [:]),
            ParserCase("a value", ["v_Data": .data([1])]),
            ParserCase("text as value", ["v_Data": .string("x")], .param),
            ParserCase("a part of the primary key", ["acct": .string("new")]),
            ParserCase("a wrong type", ["labl": .bool(true)], .param),
            ParserCase("no value", ["labl": .null], .param),
            ParserCase("keys without effect", ["nleg": .bool(true), "f_x": .null]),
            ParserCase("what the keychain manages", ["mdat": .date(1), "musr": .data([])]),
            ParserCase("a creation date", ["cdat": .date(1)]),
            ParserCase("keys that are no strings", .foreignKeys(1), .param),
            ParserCase("too many keys", .ignoredKeys(129), .param),
            ParserCase(
                "another class's attribute",
                ["srvr": .string("x")],
                .noSuchAttribute,
                [.attributeNotInClass]
            ),
            ParserCase(
                "another class's attribute, as in the source",
                ["srvr": .string("x")],
                .noSuchAttribute,
                [.attributeNotInClass],
                .appleSource
            ),
            ParserCase("an access control", ["accc": control], .param, [.accessControlUpdate]),
            ParserCase(
                "an access control, as in the source",
                ["accc": control],
                .success,
                [.accessControlUpdate],
                .appleSource
            ),
            ParserCase("text as access control", ["accc": .string("ak")], .param),
            ParserCase("an accessibility", ["pdmn": .string("cku")]),
            ParserCase("a deprecated one", ["pdmn": .string("dk")], .success, [.deprecatedAlways]),
            ParserCase("an unknown one", ["pdmn": .string("f")], .param),
            ParserCase("a group", ["agrp": .string("x")]),
            ParserCase(
                "a group where items stay",
                ["agrp": .string("x")],
                .param,
                [],
                .documented { $0.accessGroupUpdate = .reject }
            ),
            ParserCase("an app clip's mark", ["clip": .number(1)], .param),
        ]
    )
    func `are judged`(row: ParserCase) { expect(row) }

    private func expect(_ row: ParserCase) {
        let verdict = row.judge(.update) { parser throws(KeychainError) in
            _ = try parser.update(["class": .string("genp")], with: row.entries)
        }
        #expect(verdict.status == row.status)
        #expect(verdict.rules == row.expectedRules)
    }

    @Test func `come out coerced`() throws {
        let profiles = Profiles(system: .iOS(26), behavior: .documented)
        var parser = QueryParser(.update, profiles: profiles)
        let query = try parser.update(
            ["class": .string("genp"), "acct": .string("a")],
            with: [
                "labl": .number(3), "type": .string("5"), "pdmn": .string("ck"),
                "sync": .bool(true), "agrp": .string("g"), "mdat": .date(9), "v_Data": .data([1]),
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
    private static let limit: AttributeDictionary = ["m_Limit": .string("m_LimitAll")]
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
                ["u_AuthUI": .string("u_AuthUIS")],
                .param,
                [.skipInterfaceMisuse]
            )
        ]) + [
            VerbCase(
                verb: .add,
                call: ParserCase(
                    "skip",
                    ["u_AuthUI": .string("u_AuthUIS")],
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
                ParserCase("asked", ["r_Data": .bool(true)], .param, [.returnKeyInUpdate])
            ),
            (.update, ParserCase("not asked", ["r_Data": .bool(false)])),
            (
                .update,
                ParserCase(
                    "asked on a Mac",
                    ["r_Attributes": .bool(true)],
                    .success,
                    [.returnKeyInUpdate],
                    on: .macOS(26)
                )
            ),
            (.delete, ParserCase("asked of a delete", ["r_Data": .bool(true)])),
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
            ([:], nil), (["u_Tomb": .bool(true)], true), (["u_Tomb": .number(0)], false),
        ] as [(AttributeDictionary, Bool?)]
    )
    func `says whether a delete leaves tombstones`(
        entries: AttributeDictionary,
        expected: Bool?
    ) throws {
        let profiles = Profiles(system: .iOS(26), behavior: .documented)
        var parser = QueryParser(.delete, profiles: profiles)
        let base: AttributeDictionary = ["class": .string("genp")]
        let query = try parser.delete(ParserCase("", entries).dictionary(on: base))
        #expect(query.leavesTombstones == expected)
    }
}

extension VerbCase {
    fileprivate static func writes(_ cases: [ParserCase]) -> [VerbCase] {
        all(cases).filter { $0.verb == .update || $0.verb == .delete }
    }
}
