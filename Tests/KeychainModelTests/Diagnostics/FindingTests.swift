import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@Suite struct `A finding` {
    private static let marker = "open-sesame"

    /// The marker in every form in which a value can come, under every kind of key.
    private static let hostile: [ParserCase] =
        [
            ParserCase("text everywhere", dictionary { _ in .string(marker) }),
            ParserCase("bytes everywhere", dictionary { _ in .data(Array(marker.utf8)) }),
            ParserCase("arrays everywhere", dictionary { _ in .array([.string(marker)]) }),
            ParserCase("a bad class", [.itemClass: .string(marker)]),
            ParserCase("a bad reference", [.valuePersistentReference: .string(marker)]),
        ]
        + SchemaRow.expected.flatMap { row in
            [AttributeValue.string(marker), .data(Array(marker.utf8)), .array([.string(marker)])]
                .map { ParserCase(row.attribute.rawValue, one(row.attribute.rawValue, $0)) }
        }
        + QueryKey.table.flatMap { row in
            [AttributeValue.string(marker), .data(Array(marker.utf8)), .secret(secret)]
                .map { ParserCase(row.key.rawValue, one(row.key.rawValue, $0)) }
        }

    private static let secret = SharedSecret(Secret(copying: Array(marker.utf8)))

    private static func one(_ key: String, _ value: AttributeValue) -> AttributeDictionary {
        var dictionary: AttributeDictionary = .of(.genericPassword)
        dictionary[key] = value
        return dictionary
    }

    private static func dictionary(
        _ value: (Attribute) -> AttributeValue
    ) -> AttributeDictionary {
        let attributes = Set(SchemaRow.expected.map(\.attribute))
        let entries =
            attributes.map { ($0.rawValue, value($0)) } + [
                (String.itemClass, .string(.genericPassword))
            ]
        return AttributeDictionary(SortedEntries(entries))
    }

    @Test(arguments: VerbCase.all(hostile))
    func `and a reason never hold a value`(row: VerbCase) {
        let verdict = row.judge(row.call.entries)
        #expect(!verdict.text.contains(Self.marker))
        #expect(!verdict.text.contains("111, 112, 101, 110"), "the marker's bytes")
    }

    @Test func `never holds new values of an update`() {
        let verdicts = SchemaRow.expected.map { row in
            ParserCase(row.attribute.rawValue, [:]).judge(.update) { parser throws(KeychainError) in
                _ = try parser.update(
                    .of(.genericPassword),
                    with: Self.one(row.attribute.rawValue, .string(Self.marker))
                )
            }
        }
        #expect(verdicts.allSatisfy { !$0.text.contains(Self.marker) })
    }

    @Test func `quotes an unknown key short and printable`() {
        let key = "x\u{7}\u{1B}[31m" + String(repeating: "y", count: 500)
        let call = ParserCase("key", [key: .bool(true), .itemClass: .string(.genericPassword)])
        let verdict = VerbCase(verb: .delete, call: call).judge(call.entries)
        #expect(verdict.status == .param)
        #expect(verdict.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value > 31 })
        #expect(verdict.text.count < 100)
    }

    @Test func `prints rule, function, item, sentence, status and the other outcome`() {
        let finding = Finding(
            .primaryKeyUpdate,
            verb: .update,
            item: .genericPassword,
            status: .param,
            detail: "It changes acct."
        )
        #expect(finding.description.hasPrefix("keychain: primary-key-update SecItemUpdate genp: "))
        #expect(finding.description.contains("It changes acct. → errSecParam (-50)"))
        #expect(finding.description.contains("documented: errSecParam (-50); appleSource: "))
        #expect(!finding.description.contains("\n"))
    }
}

@Suite struct `The rules of the diagnostic channel` {
    @Test(.requirement("PKG-09"), arguments: DiagnosticRule.allCases)
    func `have ids of words`(rule: DiagnosticRule) {
        let words = rule.rawValue.split(separator: "-", omittingEmptySubsequences: false)
        #expect(words.count > 1)
        #expect(words.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLowercase) })
    }

    @Test(arguments: DiagnosticRule.allCases)
    func `say when they apply, what to do and who says so`(rule: DiagnosticRule) {
        #expect([rule.occasion, rule.advice].allSatisfy { $0.hasSuffix(".") && $0.count > 5 })
        #expect(!rule.source.isEmpty)
    }

    @Test func `have sentences of their own`() {
        let rules = DiagnosticRule.allCases.filter { $0 != .refusal }
        #expect(Set(rules.map(\.sentence)).count == rules.count)
        #expect(rules.allSatisfy { $0.sentence.hasSuffix(".") && $0.sentence.count > 10 })
    }

    @Test func `leave the sentence of a refused call to its reason`() {
        let finding = Finding(
            .refusal,
            verb: .add,
            item: .genericPassword,
            status: .param,
            detail: "No."
        )
        let line = "keychain: refused-call SecItemAdd genp: No. → errSecParam (-50)"
        #expect(finding.description == line)
    }

    @Test func `name both outcomes where the profiles disagree`() {
        let disagreeing: [DiagnosticRule] = [
            .missingOperator, .primaryKeyUpdate, .accessControlUpdate, .tagOnCertificate,
            .keyWithoutType, .synchronizableThisDeviceOnly, .foreignUpdateKey,
            .agreeingAccessControl,
        ]
        let texts = disagreeing.compactMap(\.otherProfile)
        #expect(texts.count == disagreeing.count)
        #expect(texts.allSatisfy { $0.contains("documented:") && $0.contains("appleSource:") })
    }
}
