import Foundation
import KeychainMigration
import PlaintextStores
import Secrets
import Synchronization

/// The secrets of a plain text file, by the names of their places.
///
/// What is deleted is what was read: a secret that somebody changed in between stays.
final class PlaintextSource: LegacySource {
    /// The most that is read, in bytes; far above any file that a person keeps.
    static let byteCountLimit = 16 << 20

    /// The path: what the journal knows the file by.
    let name: String
    private let path: String
    private let format: PlaintextFormat
    private let file: PlainFile
    private let readSecrets = Mutex<[String: SecretBytes]>([:])

    init(path: String, format: PlaintextFormat) {
        name = path
        self.path = path
        self.format = format
        file = PlainFile(URL(filePath: path))
    }

    let trust = SourceTrust.trusted

    /// Everything that the file holds; nil if there is no file.
    func entries() throws(SourceFailure) -> [PlaintextEntry]? { try content()?.entries }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let entry = try content()?.entry(key) else { return nil }
        let secret = SecretBytes(Data(entry.secret.secret.copyBytesUnprotected()))
        readSecrets.withLock { $0[key] = secret }
        return LegacyValue(secret)
    }

    func delete(_ key: String) throws(SourceFailure) {
        guard var content = try content(), content.entry(key) != nil else { return }
        let expected = readSecrets.withLock { $0[key] }
        while let entry = content.entry(key) {
            let secret = SecretBytes(Data(entry.secret.secret.copyBytesUnprotected()))
            guard expected?.matches(secret) ?? true else {
                throw SourceFailure(.undeletable, "\(file.name), which somebody changed meanwhile")
            }
            let rest = SharedSecret(content.removing(entry))
            content = try parsed(rest)
        }
        try file.replace(with: Data(content.content.secret.copyBytesUnprotected()))
    }

    private func content() throws(SourceFailure) -> PlaintextFile? {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size > Self.byteCountLimit {
            throw SourceFailure(.unsupportedValue, "\(file.name), which is larger than 16 MiB")
        }
        guard let bytes = try file.read() else { return nil }
        return try parsed(SharedSecret(Secret(copying: bytes)))
    }

    private func parsed(_ bytes: SharedSecret) throws(SourceFailure) -> PlaintextFile {
        do throws(PlaintextError) {
            return try PlaintextFile(bytes, as: format)
        } catch {
            throw SourceFailure(.damaged, "\(file.name), \(error)")
        }
    }
}

extension PlaintextFile {
    /// The first entry of a name that can move.
    fileprivate func entry(_ key: String) -> PlaintextEntry? {
        entries.first { $0.hindrance == nil && $0.place.key == key }
    }
}
