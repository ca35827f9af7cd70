import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

/// A reader of the parts of a backup in order, which authenticates each before it parses it.
///
/// - Source: Documentation/Spec/backup.md §2.
struct BackupReader: ~Copyable {
    /// The next record.
    enum Next: ~Copyable {
        case item(BackupItem)
        /// A record that only the device that made the backup can open.
        case foreign
        /// The trailer was right, and nothing follows it.
        case end
    }

    private var parts: BackupParts

    init(_ parts: consuming BackupParts) { self.parts = parts }

    /// Reads the next part.
    ///
    /// - Throws: `errSecDecode` for a backup that was changed or truncated; the errors of the
    ///   source.
    mutating func next(from source: BackupSource) throws(KeychainError) -> Next {
        let size = try Self.read(4, from: source)
        let byteCount = Int(BackupFormat.number(size))
        guard byteCount > 0 else { return try finish(size, from: source) }
        guard BackupFormat.recordByteCounts.contains(byteCount) else {
            throw Self.damaged("a record has an impossible size")
        }
        let body = try Self.read(byteCount, from: source)
        try authenticate(size + body, from: source)
        guard let columns = BackupRecord.columns(of: body) else {
            throw Self.damaged("a record is malformed")
        }
        let index = parts.count
        let record = parts.record
        parts.countRecord()
        do throws(CipherError) {
            let item = try parts.keybag.withKey(columns.protection) { key throws(CipherError) in
                try record.open(body, columns, index: index, under: key)
            }
            guard let item else { return .foreign }
            return .item(item)
        } catch .damaged {
            throw Self.damaged("a record does not open")
        } catch {
            throw KeychainError(error)
        }
    }

    private mutating func finish(
        _ size: [UInt8],
        from source: BackupSource
    ) throws(KeychainError) -> Next {
        let counted = try Self.read(BackupFormat.trailerByteCount - size.count, from: source)
        try authenticate(size + counted, from: source)
        guard BackupFormat.number(counted) == parts.count, try source(1).isEmpty else {
            throw Self.damaged("its end is not where its records end")
        }
        return .end
    }

    private mutating func authenticate(
        _ part: [UInt8],
        from source: BackupSource
    ) throws(KeychainError) {
        let code = try Self.read(BackupFormat.codeByteCount, from: source)
        let expected = try parts.code(of: part)
        guard constantTimeEquals(expected, code) else { throw Self.damaged("a part was changed") }
    }
}

extension BackupReader {
    /// The most bytes that it allocates before it has read them.
    private static let chunkByteCount = 1 << 20

    /// Reads exactly `byteCount` bytes.
    ///
    /// - Throws: `errSecDecode` if there are fewer; the errors of the source.
    static func read(
        _ byteCount: Int,
        from source: BackupSource
    ) throws(KeychainError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < byteCount {
            let wanted = min(byteCount - bytes.count, chunkByteCount)
            let more = try source(wanted)
            guard !more.isEmpty, more.count <= wanted else { throw damaged("it ends too early") }
            bytes += more
        }
        return bytes
    }

    /// Reads the whole header.
    static func header(from source: BackupSource) throws(KeychainError) -> [UInt8] {
        let prefix = try read(BackupHeader.prefixByteCount, from: source)
        let count = try fromBackup(try BackupHeader.byteCount(startingWith: prefix))
        return prefix + (try read(count - prefix.count, from: source))
    }

    static func damaged(_ reason: String) -> KeychainError {
        KeychainError(BackupError.damaged(reason: reason))
    }
}
