import Cryptography
import Foundation
import KeychainMigration
import PlaintextFormats
import Secrets
import Synchronization

/// The secrets of a plain text file, by the names of their places.
///
/// It deletes only values that it has read. A secret that changed in between stays.
final class PlaintextSource: ReturnableSource {
    /// The greatest file that is read, in bytes; far larger than any real one.
    static let byteCountLimit = 16 << 20

    /// The path, which identifies the file in the journal.
    let name: String
    private let path: String
    private let format: PlaintextFormat
    private let file: PlainFile
    private let memory = Mutex(Memory())

    /// The parsed file, so that many secrets cause one parse for each change.
    private struct Memory {
        var known: KnownFile?
        /// The file as the plan found it.
        var original: KnownFile?
        var mode: UInt32?
        /// The secrets that were read, by key.
        var readSecrets: [String: SecretBytes] = [:]
    }

    init(path: String, format: PlaintextFormat) {
        name = path
        self.path = path
        self.format = format
        file = PlainFile(URL(filePath: path))
    }

    let trust = SourceTrust.trusted

    /// Returns all entries of the file; nil if it does not exist.
    func entries() throws(SourceFailure) -> [PlaintextEntry]? {
        let content = try content()
        var status = stat()
        let mode = lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
        memory.withLock {
            $0.original = content
            $0.mode = mode
        }
        return content?.file.entries
    }

    /// The malformed lines, which stay, as the plan found them.
    var oddities: [PlaintextError] { memory.withLock { $0.original?.file.oddities ?? [] } }

    func shape(
        of keys: [String]
    ) throws(SourceFailure) -> (store: StoreShape, origins: [(key: String, origin: SecretOrigin)]) {
        let (original, mode) = memory.withLock { ($0.original, $0.mode) }
        guard let original else { throw SourceFailure(.unreadable, file.name) }
        let (origins, rest) =
            format.hasIndependentEntries
            ? independentOrigins(of: keys, original) : try origins(of: keys, original)
        guard let digest = try? Digest.sha256([UInt8](rest)) else {
            throw SourceFailure(.unreadable, file.name)
        }
        let meaning = format.meaning(of: SharedSecret(Secret(copying: rest)))
        let meaningDigest = meaning.flatMap { try? Digest.sha256($0.secret.copyBytesUnprotected()) }
        let shape = StoreShape(
            format: format.name,
            mode: mode,
            rest: digest,
            meaning: meaningDigest
        )
        return (shape, origins)
    }

    private typealias Origins = [(key: String, origin: SecretOrigin)]

    /// Removes one secret after the other, and parses the rest each time.
    private func origins(
        of keys: [String],
        _ original: KnownFile
    ) throws(SourceFailure) -> (origins: Origins, rest: Data) {
        var rest = original
        var origins: Origins = []
        for key in keys {
            while let entry = rest.movable[key] {
                origins.append((key, .text(rest.file.trace(of: entry))))
                rest = try parsed(Data(rest.file.removing(entry).copyBytesUnprotected()))
            }
        }
        return (origins, rest.bytes)
    }

    /// Returns the same for a file with thousands of entries, which it parses only once.
    private func independentOrigins(
        of keys: [String],
        _ original: KnownFile
    ) -> (origins: Origins, rest: Data) {
        let movable = original.file.entries.filter { $0.hindrance == nil }
        let byKey = Dictionary(grouping: movable, by: \.place.key)
        let gone = keys.flatMap { key in (byKey[key] ?? []).map { (key: key, entry: $0) } }
        let traces = original.file.traces(of: gone.map(\.entry))
        var rest = original.bytes
        for range in gone.flatMap(\.entry.removal).sorted(by: { $0.lowerBound > $1.lowerBound }) {
            rest.removeSubrange(range)
        }
        return (zip(gone, traces).map { ($0.key, .text($1)) }, rest)
    }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let entry = try content()?.movable[key] else { return nil }
        let secret = SecretBytes(Data(entry.secret.secret.copyBytesUnprotected()))
        memory.withLock { $0.readSecrets[key] = secret }
        return LegacyValue(secret)
    }

    func delete(_ key: String) throws(SourceFailure) {
        guard var content = try content(), content.movable[key] != nil else { return }
        let before = content.bytes
        let expected = memory.withLock { $0.readSecrets[key] }
        while let entry = content.movable[key] {
            let secret = SecretBytes(Data(entry.secret.secret.copyBytesUnprotected()))
            guard expected?.matches(secret) ?? true else {
                throw SourceFailure(.undeletable, "\(file.name), which changed in the meantime")
            }
            content = try parsed(Data(content.file.removing(entry).copyBytesUnprotected()))
        }
        try file.replace(with: content.bytes, ifStill: before)
        memory.withLock { $0.known = content }
    }

    private func content() throws(SourceFailure) -> KnownFile? {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size > Self.byteCountLimit {
            throw SourceFailure(.tooLarge, "\(file.name), which is larger than 16 MiB")
        }
        guard let bytes = try file.read() else { return nil }
        if let known = memory.withLock({ $0.known }), known.bytes == bytes { return known }
        let content = try parsed(bytes)
        memory.withLock { $0.known = content }
        return content
    }

    private func parsed(_ bytes: Data) throws(SourceFailure) -> KnownFile {
        do throws(PlaintextError) {
            return try KnownFile(bytes, as: format)
        } catch {
            throw SourceFailure(.damaged, "\(file.name), \(error)")
        }
    }
}

/// A parsed file.
private struct KnownFile: Sendable {
    let bytes: Data
    let file: PlaintextFile
    /// The first entry with each name that can move.
    let movable: [String: PlaintextEntry]

    init(_ bytes: Data, as format: PlaintextFormat) throws(PlaintextError) {
        self.bytes = bytes
        file = try PlaintextFile(SharedSecret(Secret(copying: bytes)), as: format)
        let entries = file.entries.filter { $0.hindrance == nil }
        movable = Dictionary(entries.map { ($0.place.key, $0) }) { first, _ in first }
    }
}
