import TestSupport
import Testing

@testable import KeychainSync

@Suite("A merge") struct MergeTests {
    /// A version: milliseconds, then a letter that stands for the digest.
    struct Mark: Sendable {
        let time: UInt64
        let letter: Character
        let isTombstone: Bool

        static func item(_ time: UInt64, _ letter: Character) -> Mark {
            Mark(time: time, letter: letter, isTombstone: false)
        }

        static func tombstone(_ time: UInt64, _ letter: Character) -> Mark {
            Mark(time: time, letter: letter, isTombstone: true)
        }

        var digest: SyncDigest { MergeTests.digest(letter) }

        func mark() throws -> ChangeMark {
            let stamp = try #require(Stamp(milliseconds: time, counter: 0))
            return ChangeMark(
                item: .zeros,
                version: ItemVersion(stamp, digest),
                isTombstone: isTombstone
            )
        }
    }

    static func digest(_ letter: Character) -> SyncDigest {
        SyncDigest(unchecked: [UInt8](repeating: letter.asciiValue ?? 0, count: 32))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: Mark?
        let keychain: Character?
        let coming: Mark
        let outcome: MergeOutcome

        init(
            _ testDescription: String,
            _ known: Mark?,
            _ keychain: Character?,
            _ coming: Mark,
            _ outcome: MergeOutcome
        ) {
            self.testDescription = testDescription
            self.known = known
            self.keychain = keychain
            self.coming = coming
            self.outcome = outcome
        }
    }

    static let rows = [
        //                         memory              keychain  comes
        Row("new item", nil, nil, .item(5, "b"), .apply),
        Row("new tombstone", nil, nil, .tombstone(5, "b"), .apply),
        Row("unknown, but there already", nil, "b", .item(5, "b"), .adopt),
        Row("later edit", .item(5, "b"), "b", .item(6, "a"), .apply),
        Row("later edit, not held here", .item(5, "b"), nil, .item(6, "a"), .apply),
        Row("later, the same content", .item(5, "b"), "b", .item(6, "b"), .adopt),
        Row("later tombstone", .item(5, "b"), "b", .tombstone(6, "a"), .apply),
        Row("edit after a tombstone", .tombstone(5, "b"), "b", .item(6, "a"), .apply),
        Row("earlier edit", .item(5, "b"), "b", .item(4, "c"), .keep),
        Row("earlier, the same content", .item(5, "b"), "b", .item(4, "b"), .keep),
        Row("earlier tombstone", .item(5, "b"), "b", .tombstone(4, "c"), .keep),
        Row("edit before a tombstone", .tombstone(5, "b"), "b", .item(4, "c"), .keep),
        Row("as late, greater digest", .item(5, "b"), "b", .item(5, "c"), .apply),
        Row("as late, smaller digest", .item(5, "b"), "b", .item(5, "a"), .keep),
        Row("as late, greater tombstone", .item(5, "b"), "b", .tombstone(5, "c"), .apply),
        Row("as late, smaller tombstone", .item(5, "b"), "b", .tombstone(5, "a"), .keep),
        Row("the same", .item(5, "b"), "b", .item(5, "b"), .confirm),
        Row("the same tombstone", .tombstone(5, "b"), "b", .tombstone(5, "b"), .confirm),
    ]

    @Test(arguments: rows)
    func `takes the version that wins`(row: Row) throws {
        let outcome = MergeRules.specified.outcome(
            known: try row.known?.mark(),
            keychain: row.keychain.map(Self.digest),
            coming: try row.coming.mark()
        )
        #expect(outcome == row.outcome)
    }
}
