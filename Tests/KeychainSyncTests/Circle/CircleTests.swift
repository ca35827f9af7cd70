import TestSupport
import Testing

@testable import KeychainSync

@Suite("A circle") struct CircleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Beside the founding statement.
        let statements: @Sendable () throws -> [Statement]
        let members: [Int]
    }

    private typealias Script = CircleScript

    static let rows = [
        Row(testDescription: "of its founder", statements: { [] }, members: [0]),
        Row(
            testDescription: "grows by members' statements",
            statements: { [try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2)] },
            members: [0, 1, 2]
        ),
        Row(
            testDescription: "ignores statements of others",
            statements: {
                [try Script.add(1, 1, by: 7, 1), try Script.remove(2, 0, count: 9, by: 7, 2)]
            },
            members: [0]
        ),
        Row(
            testDescription: "leaves a removed peer out for ever",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.remove(2, 1, count: 0, by: 0, 2),
                    try Script.add(3, 1, by: 0, 3),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "keeps the higher of two that remove each other",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2),
                    try Script.remove(3, 1, count: 9, by: 2, 3),
                    try Script.remove(4, 2, count: 9, by: 1, 4),
                ]
            },
            members: [0, 1]
        ),
        Row(
            testDescription: "loses one that says later that it removed its remover before",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1),
                    try Script.remove(2, 0, count: 0, counted: [], by: 1, 2),
                    try Script.remove(3, 1, count: 9, counted: [], by: 0, 3),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "loses one that adds another for that",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2),
                    try Script.remove(3, 0, count: 0, counted: [], by: 2, 2),
                    try Script.remove(4, 1, count: 9, counted: [], by: 0, 3),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "lets nobody rise by a recovery key of its own",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2),
                    try Script.recover(3, 101, by: 2, 3), try Script.add(4, 2, by: 101, 3),
                    try Script.remove(5, 1, count: 0, counted: [], by: 2, 3),
                    try Script.remove(6, 2, count: 9, counted: [], by: 1, 4),
                ]
            },
            members: [0, 1]
        ),
        Row(
            testDescription: "lets a lower one remove a higher one that does not object",
            statements: {
                [try Script.add(1, 1, by: 0, 1), try Script.remove(2, 0, count: 9, by: 1, 2)]
            },
            members: [1]
        ),
        Row(
            testDescription: "lets the recovery key decide otherwise",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
                    try Script.remove(3, 2, count: 0, by: 1, 3),
                    try Script.remove(4, 1, count: 0, by: 2, 3),
                    try Script.remove(5, 1, count: 0, by: Script.recoveryNumber, 4),
                ]
            },
            members: [0, 2]
        ),
        Row(
            testDescription: "hears the recovery key first in a generation",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1),
                    try Script.remove(9, 1, count: 0, by: Script.recoveryNumber, 2),
                    try Script.add(2, 2, by: 1, 2),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "takes back what a removed peer said beyond what counts",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2),
                    try Script.add(3, 3, by: 1, 3), try Script.remove(4, 1, count: 3, by: 0, 4),
                ]
            },
            members: [0, 2]
        ),
        Row(
            testDescription: "takes back what a removal does not list, wherever it says it stands",
            statements: {
                let listed = try Script.add(2, 2, by: 1, 2)
                return [
                    try Script.add(1, 1, by: 0, 1), listed, try Script.add(3, 3, by: 1, 2),
                    try Script.remove(4, 1, count: 9, counted: [listed.digest], by: 0, 3),
                ]
            },
            members: [0, 2]
        ),
        Row(
            testDescription: "takes nothing behind a generation of which there is no statement",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 3),
                    try Script.add(3, 3, by: 0, .max),
                ]
            },
            members: [0, 1]
        ),
        Row(
            testDescription: "does not take back what the remover's membership rests on",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
                    try Script.remove(3, 0, count: 0, by: 2, 3),
                ]
            },
            members: [2]
        ),
        Row(
            testDescription: "is of those whom the recovery key adds, if all others are lost",
            statements: {
                [
                    try Script.add(1, 1, by: Script.recoveryNumber, 1),
                    try Script.remove(2, 0, count: 0, by: Script.recoveryNumber, 2),
                ]
            },
            members: [1]
        ),
        Row(
            testDescription: "follows the new recovery key, not the old one",
            statements: {
                [
                    try Script.recover(1, 101, by: 0, 1),
                    try Script.add(2, 1, by: Script.recoveryNumber, 2),
                    try Script.add(3, 2, by: 101, 2),
                ]
            },
            members: [0, 2]
        ),
        Row(
            testDescription: "keeps of the old recovery key what is listed, or brought the author",
            statements: {
                let listed = try Script.add(2, 2, by: Script.recoveryNumber, 1)
                let action = Statement.Action.recover(
                    try Script.keys(101),
                    counted: [listed.digest]
                )
                return [
                    try Script.add(1, 1, by: Script.recoveryNumber, 1), listed,
                    try Script.add(3, 3, by: Script.recoveryNumber, 1),
                    try Script.statement(4, by: 1, generation: 2, entry: 1, action),
                ]
            },
            members: [0, 1, 2]
        ),
    ]

    @Test(arguments: rows + laterRows)
    func `is the same in every order of its statements`(row: Row) throws {
        let circles = try Script.circles(of: [try Script.found()] + row.statements())
        #expect(circles.count == 1)
        #expect(try circles.first?.members == row.members.map { try Script.name($0) }.sorted())
    }

    @Test func `is nothing without its founding statement`() throws {
        let add = try Script.add(1, 1, by: 0, 1)
        #expect(try Circle(founding: try Script.found().digest, statements: [add]) == nil)
    }

    /// An epoch that is made after peer 1 was removed, and whether nobody else can have it.
    struct EpochRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isClean: Bool
        let rotate: @Sendable () throws -> Statement
    }

    static let epochRows = [
        EpochRow(testDescription: "by who knew of the removal", isClean: true) {
            try Script.rotate(9, for: [0, 2], without: [1], by: 0, 4)
        },
        EpochRow(testDescription: "before the removal", isClean: false) {
            try Script.rotate(9, for: [0, 1, 2], by: 0, 2)
        },
        EpochRow(testDescription: "later, by who did not know of it", isClean: false) {
            try Script.rotate(9, for: [0, 1, 2], by: 2, 4)
        },
        EpochRow(testDescription: "by who did not know the peer at all", isClean: false) {
            // Who added the peer may have given it the key, without knowing of its removal.
            try Script.rotate(9, for: [0, 2], by: 2, 4)
        },
        EpochRow(testDescription: "by an earlier version", isClean: false) {
            try Script.rotate(9, for: [0, 2], without: nil, by: 0, 4)
        },
        EpochRow(testDescription: "by the removed peer, as if it had known", isClean: false) {
            try Script.rotate(9, for: [0, 2], without: [1], by: 1, 2)
        },
        EpochRow(testDescription: "for another recovery key", isClean: false) {
            try Script.rotate(9, for: [0, 2], without: [1], recovery: 101, by: 0, 4)
        },
    ]

    @Test(arguments: epochRows)
    func `has clean epochs that no removed peer can have`(row: EpochRow) throws {
        let statements = [
            try Script.found(), try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
            try Script.remove(3, 1, count: 5, by: 0, 3), try row.rotate(),
        ]
        let circles = try Script.circles(of: statements)
        #expect(circles.count == 1)
        let clean = circles.first?.epochs.filter(\.isClean).map(\.name)
        #expect(clean == (row.isClean ? [Script.epoch(9)] : []))
    }

    @Test func `keeps of two of one rank the one with the smaller name`() throws {
        let statements = [
            try Script.found(), try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
            try Script.remove(3, 2, count: 0, by: 1, 3),
            try Script.remove(4, 1, count: 0, by: 2, 3),
        ]
        let circles = try Script.circles(of: statements)
        #expect(circles.count == 1)
        let names = [try Script.name(1), try Script.name(2)]
        let stays = try #require(names.min())
        #expect(names.filter { circles.first?.hasMember($0) == true } == [stays])
    }

    @Test func `knows which removals do not count`() throws {
        let statements = [
            try Script.found(), try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2),
            // Each removes the other; that of the higher one counts. The last is gone already.
            try Script.remove(3, 1, count: 0, by: 2, 3),
            try Script.remove(4, 2, count: 9, by: 1, 3),
            try Script.remove(5, 2, count: 0, by: 0, 4),
        ]
        let circles = try Script.circles(of: statements)
        #expect(circles.count == 1)
        #expect(circles.first?.uncounted == [statements[3].digest, statements[5].digest])
    }

    @Test func `counts the first entries of a removed peer`() throws {
        let circle = try #require(
            try Script.circles(of: [
                try Script.found(), try Script.add(1, 1, by: 0, 1),
                try Script.remove(2, 1, count: 5, by: 0, 2),
            ]).first
        )
        let peer = try Script.name(1)
        #expect(circle.counts(EntryPlace(peer, 4)))
        #expect(!circle.counts(EntryPlace(peer, 5)))
        #expect(circle.counts(EntryPlace(try Script.name(0), 5)))
    }
}
