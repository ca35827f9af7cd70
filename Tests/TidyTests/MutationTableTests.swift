import Foundation
import Testing

@testable import conformance_ledger

/// A row of `Tools/Mutations/mutations.json`, as far as the checkout can contradict it.
private struct Mutation: Decodable, CustomTestStringConvertible {
    let id: String
    let file: String
    let before: String
    /// The tests that are to notice it, as `swift test --filter` takes them.
    let tests: String
    /// The rows of the conformance page that it breaks, if it is known which.
    let rows: [String]?

    var testDescription: String { id }

    static let all: [Mutation] = {
        struct Table: Decodable { let mutations: [Mutation] }
        let table = Checkout.root.appending(path: "Tools/Mutations/mutations.json")
        guard let bytes = try? Data(contentsOf: table) else { return [] }
        return (try? JSONDecoder().decode(Table.self, from: bytes).mutations) ?? []
    }()

    static let ofRows = all.filter { $0.rows != nil }
}

@Suite struct `A mutation in the table` {
    @Test(arguments: Mutation.all)
    fileprivate func `changes a text that is once in its file`(row: Mutation) {
        let file = Checkout.swiftFiles.first { $0.path == row.file }
        let parts = file?.text.components(separatedBy: row.before)
        #expect(parts?.count == 2, "\(row.file): bring Tools/Mutations/mutations.json in step")
    }

    @Test func `has a name of its own`() {
        #expect(Mutation.all.count >= 40)
        #expect(Set(Mutation.all.map(\.id)).count == Mutation.all.count)
    }

    /// Tests of a row, as their identifiers are spelled.
    private static let testsOfRows = (try? Checkout.ledger.get().claims.byId) ?? [:]

    @Test(arguments: Mutation.ofRows)
    fileprivate func `that breaks a row is noticed by tests of the row`(row: Mutation) throws {
        let filter = try Regex(row.tests)
        let strange = (row.rows ?? []).filter { id in
            !(Self.testsOfRows[id] ?? []).contains { claim in
                let names = claim.suites + (claim.test.map { [$0] } ?? [])
                let test = "\(claim.module).\(names.joined(separator: "/"))"
                return test.firstMatch(of: filter) != nil
            }
        }
        #expect(strange == [], "\(row.tests) names no test that claims them")
    }
}

@Suite struct `A row about locks, daemon, synchronization, files and operation` {
    private static let areas: Set = ["LCK", "DMN", "SYN", "CIR", "FDP", "OPS"]

    /// ★ The rows that no mutation breaks, each with the reason.
    private static let without = [
        "CIR-08": "its figure is measured by no test",
        "CIR-09": "a circle of a thousand devices is large; no one line makes it larger",
        "DMN-18": "its figures are measured by no test",
        "OPS-07": "builds of other machines are no test",
        "SYN-12": "what is not sealed does not open either, so every other test fails, too",
    ]

    @Test func `is broken by a mutation, or by none for a reason`() throws {
        let rows = try Checkout.ledger.get().table.rows
        let ids = rows.filter { Self.areas.contains($0.area) }.map(\.id)
        #expect(ids.count >= 70)
        let broken = Set(Mutation.ofRows.flatMap { $0.rows ?? [] })
        #expect(broken.subtracting(ids) == [])
        #expect(Set(ids).subtracting(broken).sorted() == Self.without.keys.sorted())
    }
}
