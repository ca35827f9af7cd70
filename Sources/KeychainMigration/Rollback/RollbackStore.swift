import Foundation

/// A store of encrypted copies of deleted values, for a return to the old version.
///
/// Each copy is a separate file. The key is an item in the keychain, so the files alone reveal
/// nothing.
///
/// ```swift
/// let store = RollbackStore(folder: folder)
/// let mover = Mover(
///     journal: journal,
///     retention: .encryptedRollback(days: 30),
///     rollback: store
/// )
/// ```
/// - Source: Migration guide, Deferred Legacy Cleanup; Documentation/Spec/migration.md, section 2.
public struct RollbackStore: Sendable {
    /// The folder of the copies, which the first copy creates.
    public let folder: URL
    /// The keychain that holds the key.
    public let keychain: any Keychain
    /// The address of the key's item.
    public let keyAddress: ItemAddress

    /// Creates a store in a folder, with the key at an address.
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

    /// The origin of a copy.
    ///
    /// ```swift
    /// for origin in try store.origins() { print(origin.id, origin.source, origin.date) }
    /// ```
    public struct Origin: Codable, Hashable, Sendable {
        /// The value's name in the journal.
        public let id: String
        /// The old store.
        public let source: String
        /// The value's name in the old store.
        public let key: String
        /// The date of the copy.
        public let date: Date
    }

    private struct Copy: Codable {
        var origin: Origin
        var sealed: Data
    }

    /// Stores an encrypted copy, which replaces an earlier copy of the same value.
    ///
    /// - Throws: ``RollbackFailure``.
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

    /// Returns the origins of all copies.
    ///
    /// - Throws: ``RollbackFailure``.
    public func origins() throws(RollbackFailure) -> [Origin] {
        try copies().map(\.copy.origin).sorted { ($0.date, $0.id) < ($1.date, $1.id) }
    }

    /// Returns the value of a copy, or nil if no copy exists.
    ///
    /// - Throws: ``RollbackFailure``.
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

    /// Removes the copies from a date or earlier, and their key if no copy remains.
    ///
    /// - Returns: the origins of the removed copies.
    /// - Throws: ``RollbackFailure``.
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

    /// Returns the key; makes it on first use.
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

/// The reason why an encrypted copy could not be stored, read or removed.
///
/// ```swift
/// do {
///     _ = try store.value(of: "token")
/// } catch RollbackFailure.keyMissing {
///     print("the key of the copies is gone")
/// }
/// ```
public enum RollbackFailure: Error, Codable, Hashable, Sendable {
    /// The keychain returned a failure.
    case keychain(KeychainFailure)
    /// The key of the copies is no longer in the keychain.
    case keyMissing
    /// The store cannot read a file.
    case unreadable(String)
    /// The store cannot write or remove a file.
    case unwritable(String)
}

extension RollbackFailure: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .keychain(let failure): "encrypted copy: \(failure)"
        case .keyMissing: "the key of the encrypted copies is gone"
        case .unreadable(let file): "the encrypted copy \(file) cannot be read"
        case .unwritable(let file): "the encrypted copy \(file) cannot be written or removed"
        }
    }
}
