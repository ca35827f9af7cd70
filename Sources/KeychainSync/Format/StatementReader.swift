import Cryptography

/// Reads statements, and verifies each by the keys of its author.
///
/// A name is made of its keys, so the keys of an author are known as soon as any statement has
/// them; whether the author was a member is decided by the fold.
///
/// - Source: Documentation/Spec/sync.md §4.
package struct StatementReader: Sendable {
    private let account: AccountName
    /// The keys of everybody who is named in a statement, by the name made of them.
    private(set) var directory: [PeerName: PeerKeys] = [:]
    /// What was verified before, so that a checkpoint costs no second look.
    private var known: [SyncDigest: Statement] = [:]

    /// Knows nobody yet.
    package init(_ account: AccountName) { self.account = account }

    /// The keys of a peer that some statement names.
    package func keys(of peer: PeerName) -> PeerKeys? { directory[peer] }

    /// How many statements were passed over.
    package private(set) var refusedCount = 0

    /// Reads one statement, whose author earlier ones name.
    ///
    /// - Throws: `damaged`; `wrongSignature`, also if nobody knows the author.
    package mutating func read(_ encoded: [UInt8]) throws(SyncError) -> Statement {
        let statement = try readAll([encoded]).first
        guard let statement else { throw .wrongSignature }
        return statement
    }

    /// Reads statements in any order, and passes over those with a wrong signature or by an author
    /// whom nobody knows.
    ///
    /// They are no reason to refuse what stands beside them: who knows the author decides that, and
    /// not all readers know the same.
    ///
    /// - Throws: `damaged`.
    package mutating func readAll(_ encoded: [[UInt8]]) throws(SyncError) -> [Statement] {
        var read: [Statement] = []
        var named = directory
        for bytes in encoded {
            let digest = try backed { () throws(CryptographyError) in try SyncDigest(of: bytes) }
            let statement: Statement
            if let earlier = known[digest] {
                statement = earlier
            } else {
                statement = try StatementFormat.decode(bytes, digest)
            }
            try StatementFormat.note(statement.action, in: &named)
            read.append(statement)
        }
        var statements: [Statement] = []
        for statement in read {
            if known[statement.digest] == nil {
                guard try isSigned(statement, named) else {
                    refusedCount += 1
                    continue
                }
                try StatementFormat.note(statement.action, in: &directory)
                known[statement.digest] = statement
            }
            statements.append(statement)
        }
        return statements
    }

    private func isSigned(
        _ statement: Statement,
        _ directory: [PeerName: PeerKeys]
    ) throws(SyncError) -> Bool {
        guard let keys = directory[statement.author] else { return false }
        return try keys.hasSigned(
            StatementFormat.message(statement.encoded, of: statement.action, account),
            Array(statement.encoded.suffix(SignatureAlgorithm.syncSignatureByteCount))
        )
    }
}
