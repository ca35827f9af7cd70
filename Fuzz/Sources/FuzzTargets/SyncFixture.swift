import Cryptography
import Secrets

@testable import KeychainSync

/// Reads the parts of streams, and writes them again.
enum SyncFixture {
    /// A device whose keys everybody knows.
    static func device() throws(SyncError) -> SoftwareSigner { try keys(7) }

    /// Other keys that everybody knows for each number.
    static func keys(_ number: UInt8) throws(SyncError) -> SoftwareSigner {
        try RecoveryKey(Secret(copying: [UInt8](repeating: number, count: 32))).signer()
    }

    private static let header = EntryHeader(
        .segment,
        .zeros,
        EntryPlace(.zeros, 3),
        previous: .zeros
    )

    /// An entry of the device, wherever it says that it belongs.
    static func entry(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        var reader = FieldReader(part[...], of: "entry")
        let stated = try EntryHeader(&reader)
        let device = try device()
        let unverified = try UnverifiedEntry(
            part + (try device.sign(part)),
            of: stated.account,
            at: stated.place,
            after: stated.previous
        )
        let entry = try SignedEntry(unverified, signedBy: device.keys)
        return try entry.header.encoded(bodyByteCount: entry.body.count) + entry.body
    }

    static func segment(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        var statements = StatementReader(.zeros)
        let segment = try Secret(copying: part).withUnsafeBytes { bytes throws(SyncError) in
            try SegmentFormat.decode(bytes, of: header, &statements)
        }
        guard statements.refusedCount == 0 else { throw .wrongSignature }
        return try SegmentFormat.encode(segment).secret(filledTo: 0).copyBytesUnprotected()
    }

    static func gift(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        var statements = StatementReader(.zeros)
        let gift = try Secret(copying: part).withUnsafeBytes { bytes throws(SyncError) in
            try KeyBox.decode(bytes, of: header, &statements)
        }
        guard statements.refusedCount == 0 else { throw .wrongSignature }
        return try KeyBox.encode(gift).secret(filledTo: 0).copyBytesUnprotected()
    }

    static func request(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        let request = try Secret(copying: part).withUnsafeBytes { bytes throws(SyncError) in
            try JoinRequest(decoding: bytes)
        }
        return try request.encoded().bytes()
    }

    static func statement(_ part: [UInt8]) throws(SyncError) -> [UInt8] {
        let statement = try unsigned(part)
        return try StatementFormat.encode(
            author: statement.author,
            generation: statement.generation,
            entry: statement.entry,
            statement.action
        )
    }

    /// A statement as if its signature were right.
    static func unsigned(_ part: [UInt8]) throws(SyncError) -> Statement {
        let signature = [UInt8](repeating: 0, count: SignatureAlgorithm.syncSignatureByteCount)
        let digest: SyncDigest
        do throws(CryptographyError) { digest = try SyncDigest(of: part + signature) } catch {
            throw .backend("\(error)")
        }
        return try StatementFormat.decode(part + signature, digest)
    }
}
