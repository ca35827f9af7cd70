import Foundation

/// Encrypted copies of what was deleted from old stores, kept for a while as a way back.
///
/// Each copy is a file of its own; the key that opens them is an item in the keychain. Whoever has
/// the files alone has nothing.
/// - Source: Migration guide, Deferred Legacy Cleanup; Documentation/Spec/migration.md §2.
public struct RollbackStore: Sendable {
    /// The folder of the copies, made when the first one is kept.
    public let folder: URL
    /// The keychain that holds the key.
    public let keychain: any Keychain
    /// Where the key is.
    public let keyAddress: ItemAddress

    /// Copies in a folder, under a key at an address.
    public init(
        folder: URL,
        keychain: any Keychain = ServicesKeychain(),
        keyAddress: ItemAddress = .genericPassword(
            service: "keychain-migration",
            account: "rollback-key"
        )
    ) {
        self.folder = folder
        self.keychain = keychain
        self.keyAddress = keyAddress
    }

    /// Where a copy comes from.
    public struct Origin: Codable, Hashable, Sendable {
        /// The value's name in the journal.
        public let id: String
        /// The old store.
        public let source: String
        /// The value's name there.
        public let key: String
        /// When the copy was made.
        public let date: Date
    }

    private struct Copy: Codable {
        var origin: Origin
        var sealed: Data
    }

    /// Keeps an encrypted copy; a copy of the same value replaces the one before.
    public func keep(_ secret: SecretBytes, of origin: Origin) throws(RollbackFailure) {
        let key = try key()
        do {
            let copy = Copy(origin: origin, sealed: try key.seal(secret))
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let file =
                try existing(origin.id)
                ?? folder.appendingPathComponent(
                    UUID().uuidString + ".rollback"
                )
            try PlainFile(file).replace(with: try Self.encoder.encode(copy), mode: 0o600)
        } catch let failure as RollbackFailure {
            throw failure
        } catch let failure as KeychainFailure {
            throw .keychain(failure)
        } catch {
            throw .unwritable(folder.lastPathComponent)
        }
    }

    /// What there are copies of.
    public func origins() throws(RollbackFailure) -> [Origin] {
        try copies().map(\.copy.origin).sorted { ($0.date, $0.id) < ($1.date, $1.id) }
    }

    /// The value of a copy, for whoever puts it back; nil if there is none.
    public func value(of id: String) throws(RollbackFailure) -> SecretBytes? {
        guard let found = try copies().first(where: { $0.copy.origin.id == id }) else {
            return nil
        }
        let key: KeychainItem?
        do throws(KeychainFailure) {
            key = try keychain.read(keyAddress)
        } catch { throw .keychain(error) }
        guard let bytes = key?.value else { throw .keyMissing }
        do throws(KeychainFailure) {
            return try EnvelopeKey(privateRepresentation: bytes).open(found.copy.sealed)
        } catch { throw .keychain(error) }
    }

    /// Removes copies made at or before a moment; once none is left, their key too.
    @discardableResult
    public func removeCopies(madeBefore end: Date) throws(RollbackFailure) -> [Origin] {
        let all = try copies()
        let expired = all.filter { $0.copy.origin.date <= end }
        for (file, _) in expired {
            do {
                try FileManager.default.removeItem(at: file)
            } catch { throw .unwritable(file.lastPathComponent) }
        }
        if expired.count == all.count {
            do throws(KeychainFailure) {
                try keychain.delete(keyAddress)
            } catch { throw .keychain(error) }
        }
        return expired.map(\.copy.origin)
    }

    private func existing(_ id: String) throws(RollbackFailure) -> URL? {
        try copies().first { $0.copy.origin.id == id }?.file
    }

    private func copies() throws(RollbackFailure) -> [(file: URL, copy: Copy)] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw .unreadable(folder.lastPathComponent)
        }
        var copies: [(URL, Copy)] = []
        for name in names.sorted() where name.hasSuffix(".rollback") {
            let file = folder.appendingPathComponent(name)
            guard let bytes = try? PlainFile(file).read(),
                let copy = try? Self.decoder.decode(Copy.self, from: bytes)
            else { throw .unreadable(name) }
            copies.append((file, copy))
        }
        return copies
    }

    /// The key, made when it is needed for the first time.
    private func key() throws(RollbackFailure) -> EnvelopeKey {
        do throws(KeychainFailure) {
            if let value = try keychain.read(keyAddress)?.value {
                return EnvelopeKey(privateRepresentation: value)
            }
            let made = try EnvelopeKey.generate()
            try keychain.add(KeychainItem(at: keyAddress, value: made.privateRepresentation))
            return made
        } catch { throw .keychain(error) }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys]
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

/// Why an encrypted copy could not be kept, read or removed.
public enum RollbackFailure: Error, Codable, Hashable, Sendable {
    /// The keychain refused.
    case keychain(KeychainFailure)
    /// The key of the copies is no longer in the keychain.
    case keyMissing
    /// A file cannot be read.
    case unreadable(String)
    /// A file cannot be written or removed.
    case unwritable(String)
}

extension RollbackFailure: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .keychain(let failure): "encrypted copy: \(failure)"
        case .keyMissing: "the key of the encrypted copies is gone"
        case .unreadable(let file): "the encrypted copy \(file) cannot be read"
        case .unwritable(let file): "the encrypted copy \(file) cannot be written or removed"
        }
    }
}
