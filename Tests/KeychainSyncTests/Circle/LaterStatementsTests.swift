import Cryptography
import Testing

@testable import KeychainSync

@Suite("What the keys of a removed device say later") struct LaterStatementsTests {
    private typealias Script = CircleScript

    /// A circle of which 0 removes 5, and then 3, which added 6.
    private static func history(_ random: inout SeededNumbers) throws -> [Statement] {
        var statements = [
            try Script.found(), try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
            try Script.add(3, 3, by: Bool.random(using: &random) ? 1 : 0, 3),
            try Script.add(4, 4, by: 2, 4), try Script.add(5, 5, by: 2, 4),
        ]
        let known = try Script.add(6, 6, by: 3, 5)
        statements.append(known)
        statements.append(try Script.remove(7, 5, count: 9, counted: [], by: 0, 6))
        statements.append(
            try Script.remove(8, 3, count: 9, counted: [known.digest], by: 0, 7)
        )
        return statements
    }

    /// Something by 3, or by 13 or 14, whom it may add; its generation is as it likes.
    private static func later(
        _ digest: UInt8,
        _ known: [Statement],
        _ random: inout SeededNumbers
    ) throws -> Statement {
        let author = [3, 13, 14].randomElement(using: &random) ?? 3
        let generation = UInt64.random(in: 1...8, using: &random)
        let peers = [0, 1, 2, 3, 4, 5, 6, 13, 14]
        let peer = peers.randomElement(using: &random) ?? 0
        let kind = Int.random(in: 0..<4, using: &random)
        if kind == 0 {
            return try Script.add(
                digest,
                [13, 14, 3, 5].randomElement(using: &random) ?? 13,
                by: author,
                generation
            )
        }
        let listed = known.filter { _ in Bool.random(using: &random) }.map(\.digest)
        return try Script.remove(
            digest,
            peer,
            count: UInt64.random(in: 0...9, using: &random),
            counted: kind == 1 ? nil : listed.sorted(),
            by: author,
            generation
        )
    }

    @Test(arguments: 0..<1000) func `changes nothing`(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let history = try Self.history(&random)
        let founding = history[0].digest
        let before = try #require(try Circle(founding: founding, statements: history))
        let digests = 10...UInt8.random(in: 10...17, using: &random)
        let later = try digests.map { try Self.later($0, history, &random) }
        let after = try #require(try Circle(founding: founding, statements: history + later))
        #expect(after.members == before.members)
    }

    @Test func `leaves every second one of a chain of removals`() throws {
        let founding = try Script.found()
        // Each takes the one before back.
        let adds = try (1...40).map { try Script.add(UInt8($0), $0, by: 0, UInt64($0)) }
        let removals = try (2...40).map { peer in
            let digest = UInt8(40 + peer)
            let generation = UInt64(39 + peer)
            return try Script.remove(
                digest,
                peer - 1,
                count: 0,
                counted: [],
                by: peer,
                generation
            )
        }
        let statements = [founding] + adds + removals
        let circle = try #require(try Circle(founding: founding.digest, statements: statements))
        let left = [0] + stride(from: 2, through: 40, by: 2)
        #expect(try circle.members == left.map { try Script.name($0) }.sorted())
    }

    @Test func `ends where an earlier recovery key and a peer add each other`() throws {
        let statements = [
            try Script.found(), try Script.add(1, 1, by: 0, 1),
            try Script.recover(2, 101, by: 1, 2), try Script.add(3, 2, by: 101, 3),
            try Script.recover(4, 102, by: 2, 4), try Script.add(5, 101, by: 2, 5),
            try Script.add(6, 3, by: 2, 6), try Script.add(7, 4, by: 3, 7),
            try Script.remove(8, 3, count: 9, by: 2, 8),
            try Script.remove(9, 4, count: 9, by: 3, 9),
        ]
        let founding = statements[0].digest
        let circle = try #require(try Circle(founding: founding, statements: statements))
        #expect(try circle.members == [0, 1, 2, 4, 101].map { try Script.name($0) }.sorted())
    }
}
