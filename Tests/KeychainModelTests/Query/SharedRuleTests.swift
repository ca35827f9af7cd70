import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

/// A call of one function.
struct VerbCase: Sendable, CustomTestStringConvertible {
    let verb: Finding.Verb
    let call: ParserCase

    var testDescription: String { "\(verb.rawValue): \(call.name)" }

    /// A dictionary that the function takes without a finding.
    var base: AttributeDictionary {
        verb == .add
            ? .of(.genericPassword, [.accessible: .string(.whenUnlocked)]) : .of(.genericPassword)
    }

    static func all(_ cases: [ParserCase]) -> [VerbCase] {
        let verbs: [Finding.Verb] = [.add, .copyMatching, .update, .delete]
        return verbs.flatMap { verb in cases.map { VerbCase(verb: verb, call: $0) } }
    }

    func judge(_ dictionary: AttributeDictionary) -> ParserCase.Verdict {
        call.judge(verb) { parser throws(KeychainError) in
            switch verb {
            case .add: _ = try parser.add(dictionary)
            case .copyMatching: _ = try parser.select(dictionary)
            case .update: _ = try parser.update(dictionary, with: [:])
            case .delete: _ = try parser.delete(dictionary)
            case .accessControl, .key, .context, .device, .backup, .restore: break
            }
        }
    }
}

@Suite struct `Every function` {
    @Test(
        .requirement("QRY-03", "QRY-04"),
        arguments: VerbCase.all([
            ParserCase("nothing", [:], .param, [.missingClass]),
            ParserCase("attributes alone", [.service: .string("a")], .param, [.missingClass]),
            ParserCase("an unknown class", [.itemClass: .string("bogus")], .noSuchClass),
            ParserCase("AppleShare", [.itemClass: .string("apls")], .noSuchClass),
            ParserCase("an empty class", [.itemClass: .string("")], .noSuchClass),
            ParserCase("a class in capitals", [.itemClass: .string("GENP")], .noSuchClass),
            ParserCase("a number as class", [.itemClass: .number(1)], .noSuchClass),
            ParserCase("no value as class", [.itemClass: .null], .noSuchClass),
        ])
    )
    func `needs a class that exists`(row: VerbCase) {
        let verdict = row.judge(row.call.entries)
        #expect(verdict.status == row.call.status)
        #expect(verdict.rules == row.call.expectedRules)
    }

    @Test(
        arguments: VerbCase.all([
            ParserCase("a key that is no string", .foreignKeys(1), .param),
            ParserCase("a key of one letter", ["x": .bool(true)], .param),
            ParserCase("an empty key", ["": .bool(true)], .param),
            ParserCase("an unknown long key", ["persistref": .data([])], .param),
            ParserCase("an unknown use key", ["u_Nothing": .bool(true)], .param),
            ParserCase("an unknown return key", ["r_Nothing": .bool(true)], .param),
            ParserCase("an unknown value key", ["v_Nothing": .data([])], .param),
            ParserCase("a class beside the class", ["classy": .string(.genericPassword)], .param),
            ParserCase(
                "keys for the process alone",
                ["f_Callback": .null, .noLegacy: .bool(true)]
            ),
            ParserCase("a reference of another kind", [.valueReference: .string("x")], .param),
            ParserCase("a prompt", [.useOperationPrompt: .string("Why")]),
            ParserCase("a prompt of bytes", [.useOperationPrompt: .data([1])], .param),
            ParserCase("a number as flag", [.useNoAuthenticationUI: .number(1)]),
            ParserCase("a word as flag", [.useNoAuthenticationUI: .string("yes")], .param),
            ParserCase("tombstones by data", [.useTombstones: .data([1])], .param),
            ParserCase(
                "a context and a credential",
                [
                    .useAuthenticationContext: .unsupported(typeName: "LAContext"),
                    .useCredentialReference: .data([1]),
                ],
                .param
            ),
        ])
    )
    func `judges keys by the grammar`(row: VerbCase) {
        let verdict = row.judge(row.call.dictionary(on: row.base))
        #expect(verdict.status == row.call.status)
        #expect(verdict.rules.isEmpty)
    }

    @Test(
        .requirement("QRY-41"),
        arguments: VerbCase.all([
            ParserCase("an unknown attribute", ["zzzz": .string("x")], .noSuchAttribute),
            ParserCase("a server", [.server: .string("x")], .noSuchAttribute),
            ParserCase("a tag", [.applicationTag: .data([1])], .noSuchAttribute),
            ParserCase("AppleShare's volume", ["volm": .string("x")], .noSuchAttribute),
        ])
    )
    func `refuses attributes that the class does not have`(row: VerbCase) {
        let verdict = row.judge(row.call.dictionary(on: row.base))
        #expect(verdict.status == row.call.status)
        #expect(verdict.rules == [DiagnosticRule.attributeNotInClass.rawValue])
    }

    @Test(
        .requirement("QRY-40"),
        arguments: VerbCase.all([
            ParserCase("text as date", [.creationDate: .string("today")], .param),
            ParserCase("data as date", [.creationDate: .data([1])], .param),
            ParserCase("a date as account", [.account: .date(0)], .param),
            ParserCase("a boolean as account", [.account: .bool(true)], .param),
            ParserCase("no value as account", [.account: .null], .param),
            ParserCase("an array as label", [.label: .array([])], .param),
            ParserCase("data as creator", [.creator: .data([1])], .param),
            ParserCase("a URL as comment", [.comment: .unsupported(typeName: "NSURL")], .param),
            ParserCase("bytes that are no text", [.syncViewHint: .data([0xFF])], .param),
            ParserCase("a number as view hint", [.syncViewHint: .number(1)], .param),
            ParserCase("text as access control", [.accessControl: .string(.whenUnlocked)], .param),
            ParserCase("data as access control", [.accessControl: .data([1])], .param),
            ParserCase("an unknown accessibility", [.accessible: .string("bogus")], .param),
            ParserCase("accessibility until reboot", [.accessible: .string("f")], .param),
            ParserCase("a number as accessibility", [.accessible: .number(6)], .param),
            ParserCase("a word as synchronizable", [.synchronizable: .string("yes")], .param),
            ParserCase("a date as synchronizable", [.synchronizable: .date(0)], .param),
            ParserCase("text as secret", [.valueData: .string("x")], .param),
            ParserCase("no value as secret", [.valueData: .null], .param),
            ParserCase("a number as return flag", [.returnData: .number(1)], .param),
            ParserCase("text as return flag", [.returnAttributes: .string("1")], .param),
            ParserCase("no value as return flag", [.returnReference: .null], .param),
            ParserCase("an app clip's mark", [.appClipItem: .number(1)], .param),
            ParserCase("a sharing group", [.sharingGroup: .string("x")], .missingEntitlement),
            ParserCase("the system's mark", [.systemBound: .number(1)], .missingEntitlement),
            ParserCase("a number as access group", [.accessGroup: .number(1)], .missingEntitlement),
        ])
    )
    func `refuses values of the wrong type`(row: VerbCase) {
        let verdict = row.judge(row.call.dictionary(on: row.base))
        #expect(verdict.status == row.call.status)
    }

    @Test(
        arguments: VerbCase.all([
            ParserCase("text", [.valuePersistentReference: .string("x")], .param),
            ParserCase("no bytes", [.valuePersistentReference: .data([])], .param),
            ParserCase(
                "19 bytes",
                [.valuePersistentReference: .data(Array(String.genericPassword.utf8) + zeros(15))],
                .param
            ),
            ParserCase("an unknown class", [.valuePersistentReference: .data(zeros(20))], .param),
        ])
    )
    func `refuses bytes that are no persistent reference`(row: VerbCase) {
        let verdict = row.judge(row.call.entries)
        #expect(verdict.status == row.call.status)
        #expect(verdict.rules.isEmpty, "the class is not what is wrong")
    }

    @Test(
        arguments: VerbCase.all([
            ParserCase("its own", .of(.genericPassword)),
            ParserCase("another", .of(.internetPassword), .noSuchClass),
        ])
    )
    func `takes the class of a persistent reference`(row: VerbCase) {
        let reference = PersistentReference(itemClass: .genericPassword, uuid: zeros(16)).encoded
        let alone = row.judge([.valuePersistentReference: .data(reference)])
        #expect(alone.status == .success)
        let both = row.judge(row.call.dictionary(on: [.valuePersistentReference: .data(reference)]))
        #expect(both.status == row.call.status)
    }

    @Test(arguments: VerbCase.all([ParserCase("many keys", [:])]))
    func `takes 128 keys and no more`(row: VerbCase) {
        let room = QueryKey.countLimit - row.base.values.count
        let full = ParserCase("full", .ignoredKeys(room)).dictionary(on: row.base)
        let overfull = ParserCase("overfull", .ignoredKeys(room + 1)).dictionary(on: row.base)
        #expect(row.judge(full).status == .success)
        #expect(row.judge(overfull).status == .param)
        #expect(QueryKey.countLimit == 128)
    }
}

private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
