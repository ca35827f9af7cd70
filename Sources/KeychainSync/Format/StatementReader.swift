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

    /// Reads one statement, whose author earlier ones name.
    ///
    /// - Throws: `damaged`; `wrongSignature`, also if nobody knows the author.
    package mutating func read(_ encoded: [UInt8]) throws(SyncError) -> Statement {
        let digest = try backed { () throws(CryptographyError) in try SyncDigest(of: encoded) }
        if let statement = known[digest] { return statement }
        let statement = try StatementFormat.decode(encoded, digest)
        try StatementFormat.note(statement.action, in: &directory)
        guard let keys = directory[statement.author],
            try keys.hasSigned(
                StatementFormat.message(encoded, of: statement.action, account),
                Array(encoded.suffix(SignatureAlgorithm.syncSignatureByteCount))
            )
        else { throw .wrongSignature }
        known[digest] = statement
        return statement
    }

    /// Reads statements in any order.
    ///
    /// - Throws: As `read`.
    package mutating func readAll(_ encoded: [[UInt8]]) throws(SyncError) -> [Statement] {
        for bytes in encoded {
            try StatementFormat.note(
                try StatementFormat.decode(bytes, .zeros).action,
                in: &directory
            )
        }
        var statements: [Statement] = []
        for bytes in encoded { statements.append(try read(bytes)) }
        return statements
    }
}
