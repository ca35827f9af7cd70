import TestSupport
import Testing

@testable import KeychainSync

@Suite("A stamp") struct StampTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let modified: Int64
        let replaced: (UInt64, UInt32)?
        let expected: (UInt64, UInt32)
    }

    static let rows = [
        Row(testDescription: "of a new item", modified: 7, replaced: nil, expected: (7, 0)),
        Row(testDescription: "of a later edit", modified: 7, replaced: (6, 5), expected: (7, 0)),
        Row(
            testDescription: "in the same millisecond",
            modified: 7,
            replaced: (7, 0),
            expected: (7, 1)
        ),
        Row(
            testDescription: "on a clock that is behind",
            modified: 7,
            replaced: (9, 3),
            expected: (9, 4)
        ),
        Row(testDescription: "before 1970", modified: -1, replaced: nil, expected: (0, 0)),
        Row(
            testDescription: "after the year 9999",
            modified: .max,
            replaced: nil,
            expected: (Stamp.lastMilliseconds, 0)
        ),
        Row(
            testDescription: "after the last count",
            modified: 7,
            replaced: (9, .max),
            expected: (10, 0)
        ),
    ]

    @Test(arguments: rows) func `is later than what it replaced`(row: Row) {
        let replaced = row.replaced.flatMap { Stamp(milliseconds: $0.0, counter: $0.1) }
        let stamp = Stamp(modified: row.modified, replacing: replaced)
        #expect((stamp.milliseconds, stamp.counter) == row.expected)
        if let replaced { #expect(replaced < stamp) }
    }

    @Test func `is never after the year 9999`() {
        #expect(Stamp(milliseconds: Stamp.lastMilliseconds + 1, counter: 0) == nil)
    }
}
