import KeychainModel
import TestSupport
import Testing

@Suite struct `The grammar of keys` {
    @Test(
        arguments: [
            ("acct", .attribute(.account)), ("zzzz", .attribute(Attribute(rawValue: "zzzz"))),
            ("nleg", .ignored), ("flag", .attribute(Attribute(rawValue: "flag"))),
            ("", .malformed), ("m", .malformed), ("f", .malformed),
            ("m_Limit", .key(.matchLimit, .match, .limit)),
            ("m_Limited", .unknownMatch), ("mm", .unknownMatch), ("f_Anything", .ignored),
            ("class", .key(.itemClass, .itemClass, .classLetters)), ("classy", .malformed),
            ("Class", .malformed), ("r_Data", .key(.returnData, .returns, .bool)),
            ("r_Everything", .malformed), ("u_AuthUI", .key(.useAuthenticationUI, .use, .text)),
            ("u_Anything", .malformed), ("v_Data", .key(.valueData, .value, .bytes)),
            ("v_Anything", .malformed), ("persistref", .malformed), ("rowid", .malformed),
            ("_", .malformed), ("ab", .malformed), ("abc", .malformed), ("\u{0}\u{0}", .malformed),
        ] as [(String, KeyGrammar)]
    )
    func `classifies a key by its length and first letter`(raw: String, expected: KeyGrammar) {
        #expect(KeyGrammar(raw) == expected)
    }

    @Test func `has one row for a key`() {
        #expect(QueryKey.rows.count == QueryKey.table.count)
        #expect(QueryKey.table.allSatisfy { KeyGrammar($0.key.rawValue) != .malformed })
    }

    @Test(
        arguments: [
            ("m", QueryKey.Group.match, 11), ("r", .returns, 4), ("v", .value, 3), ("u", .use, 7),
            ("c", .itemClass, 1), ("n", .ignored, 1),
        ]
    )
    func `puts the keys of a first letter into one group`(
        letter: String,
        group: QueryKey.Group,
        count: Int
    ) {
        let rows = QueryKey.table.filter { $0.key.rawValue.hasPrefix(letter) }
        #expect(rows.count == count)
        #expect(rows.allSatisfy { $0.group == group })
    }
}
