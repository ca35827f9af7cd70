import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets

/// The key that seals the records in the keychain's database.
///
/// It comes from the key of a protected file without content, which opens only while the keychain
/// is unlocked.
///
/// - Source: Documentation/Spec/sync.md §8.
package struct RecordSeal: Sendable {
    /// The record that holds the wrapped key, in the clear.
    package static let keyRecord = Array("key".utf8)

    private let key: SharedSecret
    private let nameKey: SharedSecret
    private let random: any RandomSource

    package init(_ fileKey: SharedSecret, _ random: any RandomSource) throws(SyncFailure) {
        key = try Self.derive("sync records", from: fileKey)
        nameKey = try Self.derive("sync record names", from: fileKey)
        self.random = random
    }

    private static func derive(
        _ purpose: String,
        from key: SharedSecret
    ) throws(SyncFailure) -> SharedSecret {
        do throws(CryptographyError) {
            return SharedSecret(
                try HKDF.deriveKey(
                    from: key.secret,
                    salt: [],
                    info: Array(purpose.utf8),
                    byteCount: AESGCM.keyByteCount
                )
            )
        } catch { throw .format(.backend("\(error)")) }
    }

    /// Makes a new key, and the record that stores it.
    static func make(
        in endpoint: any Endpoint,
        _ random: any RandomSource
    ) throws(SyncFailure) -> (RecordSeal, SyncRecord) {
        let name = try fromCryptography(try random.bytes(FileIdentifier.byteCount))
        guard let file = FileIdentifier(name) else { throw .damagedState("no name for a key") }
        let request = FileKeyRequest.make(.complete, file: file, group: nil)
        guard case .made(let wrapped, let key) = try fromKeychain(try endpoint.send(request)) else {
            throw .keychain(.unexpectedReply)
        }
        return (
            try RecordSeal(key, random),
            SyncRecord(key: keyRecord, value: try WrappedKeyFormat.encode(wrapped))
        )
    }

    /// Opens the key that a record stores.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked; `damagedState`.
    static func open(
        _ record: [UInt8],
        in endpoint: any Endpoint,
        _ random: any RandomSource
    ) throws(SyncFailure) -> RecordSeal {
        let wrapped = try WrappedKeyFormat.decode(record)
        guard case .status(let status) = try fromKeychain(try endpoint.send(DeviceRequest.status))
        else { throw .keychain(.unexpectedReply) }
        guard status.lockState == .unlocked else {
            throw .keychain(
                KeychainError(
                    .interactionNotAllowed,
                    "the keychain is locked; unlock it with keychainctl unlock-keychain"
                )
            )
        }
        guard case .key(let key) = try fromKeychain(try endpoint.send(FileKeyRequest.open(wrapped)))
        else { throw .keychain(.unexpectedReply) }
        return try RecordSeal(key, random)
    }

    /// Returns a name for a record that nobody can guess without the key.
    func blinded(_ name: [UInt8]) throws(SyncFailure) -> [UInt8] {
        try fromCryptography(
            Array(try HMACSHA256.authenticate(name, key: nameKey.secret).prefix(16))
        )
    }

    func seal(_ value: borrowing Secret, as name: [UInt8]) throws(SyncFailure) -> SyncRecord {
        do throws(CryptographyError) {
            let nonce = try random.bytes(AESGCM.nonceByteCount)
            let sealed = try AESGCM.seal(
                value,
                key: key.secret,
                nonce: nonce,
                authenticating: name
            )
            return SyncRecord(key: name, value: nonce + sealed)
        } catch { throw .format(.backend("\(error)")) }
    }

    func open(_ record: SyncRecord) throws(SyncFailure) -> Secret {
        let value = record.value ?? []
        do throws(CryptographyError) {
            return try AESGCM.open(
                value.dropFirst(AESGCM.nonceByteCount),
                key: key.secret,
                nonce: value.prefix(AESGCM.nonceByteCount),
                authenticating: record.key
            )
        } catch { throw .damagedState("a record does not open") }
    }
}
