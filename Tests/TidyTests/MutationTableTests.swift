import Foundation
import Testing

/// A row of `Tools/Mutations/mutations.json`, as far as the sources can contradict it.
private struct Mutation: Decodable, CustomTestStringConvertible {
    let id: String
    let file: String
    let before: String

    var testDescription: String { id }

    static let all: [Mutation] = {
        struct Table: Decodable { let mutations: [Mutation] }
        let table = Checkout.root.appending(path: "Tools/Mutations/mutations.json")
        guard let bytes = try? Data(contentsOf: table) else { return [] }
        return (try? JSONDecoder().decode(Table.self, from: bytes).mutations) ?? []
    }()
}

@Suite struct `A mutation in the table` {
    @Test(arguments: Mutation.all)
    fileprivate func `changes a text that is once in its file`(row: Mutation) {
        let file = Checkout.swiftFiles.first { $0.path == row.file }
        let count = file?.text.ranges(of: row.before).count
        #expect(count == 1, "\(row.file): bring Tools/Mutations/mutations.json in step")
    }

    @Test func `has a name of its own`() {
        #expect(Mutation.all.count >= 40)
        #expect(Set(Mutation.all.map(\.id)).count == Mutation.all.count)
    }
}
