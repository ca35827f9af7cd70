import Testing

@testable import keychain_torture

/// A history of calls on one key, and whether some order explains it.
private struct History: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let calls: [OperationRecord]
    let isExplained: Bool

    init(_ name: String, isExplained: Bool, _ calls: String...) {
        testDescription = name
        self.isExplained = isExplained
        self.calls = calls.compactMap { OperationRecord("op \($0)"[...]) }
    }

    // ★ Table:                                       verb key value status start end
    static let all = [
        History("nothing at all", isExplained: true),
        History("one after the other", isExplained: true, "add 0 a 0 1 2", "read 0 a 0 3 4"),
        History("a value that nobody wrote", isExplained: false, "add 0 a 0 1 2", "read 0 b 0 3 4"),
        History(
            "a read that is over before the write",
            isExplained: false,
            "read 0 a 0 1 2",
            "add 0 a 0 3 4"
        ),
        History(
            "a read that overlaps the write",
            isExplained: true,
            "read 0 a 0 1 3",
            "add 0 a 0 2 4"
        ),
        History("two adds that both succeed", isExplained: false, "add 0 a 0 1 9", "add 0 b 0 2 8"),
        History("two adds, one refused", isExplained: true, "add 0 a 0 1 9", "add 0 b -25299 2 8"),
        History("a refusal with nothing there", isExplained: false, "add 0 b -25299 1 2"),
        History(
            "an update that is lost",
            isExplained: false,
            "add 0 a 0 1 2",
            "update 0 b 0 3 4",
            "read 0 a 0 5 6"
        ),
        History(
            "two updates at once, either last",
            isExplained: true,
            "add 0 a 0 1 2",
            "update 0 b 0 3 9",
            "update 0 c 0 4 8",
            "read 0 b 0 10 11"
        ),
        History(
            "two reads that saw two orders",
            isExplained: false,
            "add 0 a 0 1 2",
            "update 0 b 0 3 9",
            "update 0 c 0 4 8",
            "read 0 b 0 10 11",
            "read 0 c 0 12 13"
        ),
        History(
            "a delete in between",
            isExplained: true,
            "add 0 a 0 1 2",
            "delete 0 - 0 3 9",
            "add 0 b 0 4 8",
            "read 0 b 0 10 11"
        ),
        History("a delete of nothing", isExplained: true, "delete 0 - -25300 1 2"),
        History(
            "a delete twice",
            isExplained: false,
            "add 0 a 0 1 2",
            "delete 0 - 0 3 9",
            "delete 0 - 0 4 8"
        ),
        History("an error", isExplained: false, "add 0 a -25291 1 2"),
        History(
            "a write that gives up after four seconds",
            isExplained: false,
            "add 0 a -25291 1 4000000001"
        ),
        History(
            "a write that gives up after five",
            isExplained: true,
            "add 0 a -25291 1 5000000001"
        ),
        History(
            "a write that gave up and came to be",
            isExplained: false,
            "add 0 a -25291 1 5000000001",
            "read 0 a 0 5000000002 5000000003"
        ),
    ]
}

@Suite struct `The search for an order` {
    @Test(arguments: History.all)
    fileprivate func `finds one exactly where there is one`(history: History) {
        let contradiction = Linearizability(history.calls).contradiction()
        #expect((contradiction == nil) == history.isExplained)
    }

    @Test(arguments: History.all)
    fileprivate func `takes the calls in any order`(history: History) {
        let turned = Linearizability(history.calls.reversed()).contradiction()
        #expect((turned == nil) == history.isExplained)
    }

    @Test(arguments: [
        "", "op", "op add", "op add 0 a 0 1", "op steal 0 a 0 1 2", "op add x a 0 1 2",
    ])
    func `reads no record from a line that is none`(line: String) {
        #expect(OperationRecord(line[...]) == nil)
    }

    @Test func `reads a record as it was written`() {
        let record = OperationRecord(
            .update,
            key: 3,
            value: "1.2",
            status: -25300,
            start: 5,
            end: 9
        )
        #expect(OperationRecord(record.text[...]) == record)
    }
}
