import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// What the index answers, and with which part of it.
private struct Question: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let list: PairWalk.RowList
    let plan: String

    static let all = [
        Question(
            testDescription: "a pair",
            list: .pair([1]),
            plan: "SEARCH lookup_pairs USING PRIMARY KEY (digest=? AND row>?)"
        ),
        Question(
            testDescription: "a label",
            list: .index([(.label, [1])]),
            plan: "SEARCH genp USING COVERING INDEX i_genp_labl (d_labl=? AND rowid>?)"
        ),
        Question(
            testDescription: "an account",
            list: .index([(.account, [1])]),
            plan: "SEARCH genp USING COVERING INDEX i_genp_acct (d_acct=? AND rowid>?)"
        ),
        Question(
            testDescription: "a service and an account",
            list: .index([(.service, [1]), (.account, [1])]),
            plan: """
                SEARCH genp USING COVERING INDEX i_genp_svce_acct \
                (d_svce=? AND d_acct=? AND rowid>?)
                """
        ),
    ]
}

@Suite struct `A search by pairs among ten thousand items` {
    private static let count = 10_000
    private static let schema = ["xdg:schema": "org.example.Password"]
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    /// Has ten thousand rows that share a pair and that nothing opens, and "ada" with one more.
    init() throws {
        fixture = try .unlocked()
        keychain = fixture.keychain
        let digest = try fixture.inside { state throws(KeychainError) in
            try state.vault.digests.digests(
                of: try LookupPairs(Self.schema),
                inAccessGroup: "TEAM.app"
            )
        }
        let group = try fixture.inside { state throws(KeychainError) in
            try state.vault.digests.digest(ofAccessGroup: "TEAM.app")
        }
        let half = Self.count / 2
        try fixture.execute(Self.fill(half, pair: try #require(digest.first), group: group))
        let pairs = ["xdg:schema": "org.example.Password", "user": "ada"]
        #expect(keychain.add(try paired("ada", pairs)) == .success)
        try fixture.execute(Self.fill(half, pair: try #require(digest.first), group: group))
    }

    private static func fill(_ count: Int, pair: [UInt8], group: [UInt8]) -> [String] {
        func blob(_ bytes: [UInt8]) -> String {
            "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
        let rows = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO genp (pkey, pdmn, sync, tomb, pref, d_agrp, d_labl, metadata)
            SELECT randomblob(16), 6, 0, 0, randomblob(16), \(blob(group)), x'01', zeroblob(64)
            FROM n
            """
        let pairs = """
            INSERT INTO lookup_pairs (digest, row) SELECT \(blob(pair)), row FROM genp
            WHERE d_labl = x'01' AND row NOT IN (SELECT row FROM lookup_pairs)
            """
        return [rows, pairs]
    }

    /// How many rows are opened.
    private func work(_ body: () throws -> Void) throws -> EngineCounters {
        let before = try fixture.engine.counters
        try body()
        return try fixture.engine.counters - before
    }

    private static let both = ["xdg:schema": "org.example.Password", "user": "ada"]

    @Test func `opens the one that it returns, and not one more`() throws {
        let found = try work { () throws in
            #expect(keychain.accounts(try paired(nil, Self.both)) == ["ada"])
        }
        #expect(found == EngineCounters(openedMetadata: 1))
        let none = try work { () throws in
            #expect(keychain.accounts(try paired(nil, ["user": "ben"])) == [])
            let absent = ["xdg:schema": "org.example.Password", "user": "ben"]
            #expect(keychain.read(try paired(nil, absent)) == .notFound)
        }
        #expect(none == EngineCounters())
        let updated = try work { () throws in
            #expect(keychain.update(try paired(nil, Self.both), "new") == .success)
        }
        #expect(updated.openedMetadata == 1)
        let deleted = try work { () throws in
            #expect(keychain.delete(try paired(nil, Self.both)) == .success)
        }
        #expect(deleted == EngineCounters(openedMetadata: 1))
    }

    @Test(
        arguments: [
            [.label: .string("Ada's")], [.account: .string("ada")],
            [.account: .string("ada"), .service: .string("mail")],
        ] as [[String: AttributeValue]]
    )
    func `opens as few when another attribute tells them apart`(
        more: [String: AttributeValue]
    ) throws {
        let label: AttributeDictionary = [Attribute.label.rawValue: .string("Ada's")]
        #expect(keychain.status(.update(password("ada"), with: label)) == .success)
        let found = try work { () throws in
            #expect(keychain.accounts(try paired(nil, Self.schema, more)) == ["ada"])
        }
        #expect(found == EngineCounters(openedMetadata: 1))
    }

    @Test func `asks the index a few times, however many rows share a pair`() throws {
        var filter = RowFilter(itemClass: .genericPassword)
        filter.pairs = try fixture.inside { state throws(KeychainError) in
            [
                try state.vault.digests.digests(
                    of: try LookupPairs(Self.both),
                    inAccessGroup: "TEAM.app"
                )
            ]
        }
        let wanted = filter
        let (rows, questions) = try fixture.inside { state throws(KeychainError) in
            guard var walk = PairWalk(wanted) else { return ([Int64](), 0) }
            var rows: [Int64] = []
            while let row = try walk.next(in: state.vault.store) { rows.append(row) }
            return (rows, walk.questionCount)
        }
        #expect(rows == [Int64(Self.count / 2 + 1)])
        #expect(questions <= 5)
    }

    @Test(arguments: Question.all)
    fileprivate func `is answered by a step into an index`(question: Question) throws {
        let plan = try fixture.inside { state throws(KeychainError) in
            let text = ItemStore.text(of: question.list)
            let statement = try state.vault.store.connection.prepare(
                "EXPLAIN QUERY PLAN " + text
            )
            var lines: [String] = []
            while try statement.step(on: state.vault.store.connection) {
                lines.append(statement.text(at: 3) ?? "")
            }
            return lines
        }
        #expect(plan == [question.plan])
    }
}
