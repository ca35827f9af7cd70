import CoreFoundation
import Cryptography
import Foundation
import KeychainServices
import Secrets

/// A file with two layers: sealed under a key in the keychain, and stored as a protected file.
///
/// The key is an item of 32 bytes with `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`. The file has
/// the class `complete`. Deleting the item destroys the content, also in every copy.
///
/// ```swift
/// let envelope = Envelope(service: "diary", account: "file key")
/// try envelope.write(data, to: url)
/// let data = try envelope.read(url)
/// ```
public struct Envelope: Sendable {
    /// The reason why an envelope cannot be opened or sealed.
    public enum Failure: Error, Equatable, Sendable {
        /// The keychain refused: -25308 while it is locked, -25300 without the item.
        case keychain(OSStatus)
        /// The content was sealed under another key, or changed.
        case damaged
    }

    /// The service of the item.
    public let service: String
    /// The account of the item.
    public let account: String

    private static let purpose = Array("swift-keychain envelope 1".utf8)

    /// Creates an envelope with the names of the key's item, which may not exist yet.
    public init(service: String, account: String) {
        self.service = service
        self.account = account
    }

    /// Seals data and writes it; creates the key if there is none.
    ///
    /// - Throws: `Failure`, and the errors of `Data.write(toProtectedFile:)`.
    public func write(_ data: Data, to url: URL) throws {
        let key = try found() ?? made()
        let nonce = try SystemRandomSource().bytes(AESGCM.nonceByteCount)
        let sealed = try data.withUnsafeBytes { bytes in
            try AESGCM.seal(bytes, key: key, nonce: nonce, authenticating: Self.purpose)
        }
        try Data(nonce + sealed).write(toProtectedFile: url, options: .completeFileProtection)
    }

    /// Reads and opens the result of `write`.
    ///
    /// - Throws: `Failure`; `CocoaError.fileReadNoPermission` while the device is locked.
    public func read(_ url: URL) throws -> Data {
        let file = try ProtectedFile(opening: url)
        let bytes = [UInt8](try file.readToEnd() ?? Data())
        try file.close()
        guard let key = try found() else { throw Failure.keychain(errSecItemNotFound) }
        guard bytes.count > AESGCM.nonceByteCount else { throw Failure.damaged }
        do {
            let opened = try AESGCM.open(
                bytes[AESGCM.nonceByteCount...],
                key: key,
                nonce: bytes[..<AESGCM.nonceByteCount],
                authenticating: Self.purpose
            )
            return opened.withUnsafeBytes { Data($0) }
        } catch { throw Failure.damaged }
    }

    /// Deletes the key, and thus the content of every file of this envelope.
    public func destroyKey() throws {
        let status = SecItemDelete(dictionary([:]))
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw Failure.keychain(status)
        }
    }

    private func dictionary(_ more: [String: Any]) -> CFDictionary {
        let base: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
        return base.merging(more) { $1 } as CFDictionary
    }

    private func found() throws -> Secret? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(dictionary([kSecReturnData as String: true]), &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw Failure.keychain(status) }
        guard let data = result as? Data, data.count == AESGCM.keyByteCount else {
            throw Failure.damaged
        }
        return Secret(copying: data)
    }

    private func made() throws -> Secret {
        let key = try SystemRandomSource().secret(AESGCM.keyByteCount)
        let accessible = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        let status = SecItemAdd(
            dictionary([
                kSecAttrAccessible as String: accessible,
                kSecValueData as String: Data(key.copyBytesUnprotected()),
            ]),
            nil
        )
        // Another process was faster, and its key is used.
        if status == errSecDuplicateItem, let other = try found() { return other }
        guard status == errSecSuccess else { throw Failure.keychain(status) }
        return key
    }
}
