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

    static func recover(_ digest: UInt8, _ key: Int, by author: Int, _ generation: UInt64)
        throws -> Statement
    {
        try statement(
            digest,
            by: author,
            generation: generation,
            entry: generation,
            .recover(try keys(key), counted: [])
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
