import TestSupport
import Testing

@testable import KeychainSync

/// Statements of a small circle, by short names.
struct CircleScript {
    static let recoveryNumber = 100

    static func keys(_ number: Int) throws -> PeerKeys {
        let half = [UInt8](repeating: UInt8(number), count: PeerKeys.publicKeyByteCount)
        return try #require(PeerKeys(signing: half, agreement: half))
    }

    static func name(_ number: Int) throws -> PeerName { try keys(number).name() }

    /// Digests in the order of their numbers, so that a row decides what sorts first.
    static func statement(
        _ digest: UInt8,
        by author: Int,
        generation: UInt64,
        entry: UInt64,
        _ action: Statement.Action
    ) throws -> Statement {
        Statement(
            author: try name(author),
            generation: generation,
            entry: entry,
            action: action,
            encoded: [],
            digest: SyncDigest(unchecked: [digest] + [UInt8](repeating: 0, count: 31))
        )
    }

    static func found() throws -> Statement {
        let action = Statement.Action.found(
            random: [],
            founder: try keys(0),
            deviceName: "0",
            recovery: try keys(recoveryNumber)
        )
        return try statement(0, by: 0, generation: 0, entry: 0, action)
    }

    static func add(_ digest: UInt8, _ peer: Int, by author: Int, _ generation: UInt64)
        throws -> Statement
    {
        let action = Statement.Action.add(try keys(peer), deviceName: "\(peer)")
        return try statement(
            digest,
            by: author,
            generation: generation,
            entry: author == recoveryNumber ? 0 : generation,
            action
        )
    }

    static func remove(
        _ digest: UInt8,
        _ peer: Int,
        count: UInt64,
        counted: [SyncDigest]? = nil,
        by author: Int,
        _ generation: UInt64
    ) throws -> Statement {
        try statement(
            digest,
            by: author,
            generation: generation,
            entry: author == recoveryNumber ? 0 : generation,
            .remove(try name(peer), entryCount: count, counted: counted)
        )
    }

    /// A new epoch for these and the recovery key, by somebody who knew of those removals.
    static func rotate(
        _ digest: UInt8,
        for peers: [Int],
        without removed: [Int]? = [],
        recovery: Int = recoveryNumber,
        by author: Int,
        _ generation: UInt64
    ) throws -> Statement {
        let readers = EpochReaders(
            try (peers + [recovery]).map { try name($0) },
            removed: try removed?.map { try name($0) }
        )
        return try statement(
            digest,
            by: author,
            generation: generation,
            entry: generation,
            .rotate(epoch(digest), readers)
        )
    }

    static func epoch(_ digest: UInt8) -> EpochName {
        EpochName(unchecked: [UInt8](repeating: digest, count: 16))
    }

    /// Every order of the statements.
    static func orders(of statements: [Statement]) -> [[Statement]] {
        guard statements.count > 1 else { return [statements] }
        return statements.indices.flatMap { index in
            var rest = statements
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }

    /// The circles that all orders make.
    static func circles(of statements: [Statement]) throws -> Set<Circle> {
        let founding = try found().digest
        return try Set(
            orders(of: statements).map {
                try #require(try Circle(founding: founding, statements: $0))
            }
        )
    }
}

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
            testDescription: "keeps the one whose removal of the other sorts first",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
                    try Script.remove(4, 1, count: 0, by: 2, 3),
                    try Script.remove(3, 2, count: 0, by: 1, 3),
                ]
            },
            members: [0, 1]
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
                    try Script.statement(
                        1,
                        by: 0,
                        generation: 1,
                        entry: 1,
                        .recover(try Script.keys(101), counted: [])
                    ),
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

    @Test(arguments: rows)
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

    @Test func `knows which removals do not count`() throws {
        let statements = [
            try Script.found(), try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
            // Each removes the other; the first to be sorted counts. The last is gone already.
            try Script.remove(3, 2, count: 0, by: 1, 3),
            try Script.remove(4, 1, count: 0, by: 2, 3),
            try Script.remove(5, 2, count: 0, by: 0, 4),
        ]
        let circles = try Script.circles(of: statements)
        #expect(circles.count == 1)
        #expect(circles.first?.uncounted == [statements[4].digest, statements[5].digest])
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
