import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// The key of one protection class and one key set that wraps the keys of handles.
///
/// It outlives the class key that seals it.
/// - Source: Documentation/Spec/item.md §8.
struct HandleKey: HeldKey {
    let protection: ProtectionClass
    /// The name of the key set in which it was created.
    let keySet: [UInt8]
    let secret: SharedSecret

    private init(
        _ protection: ProtectionClass,
        of keySet: [UInt8],
        _ secret: consuming Secret
    ) {
        self.protection = protection
        self.keySet = keySet
        self.secret = SharedSecret(secret)
    }

    /// Creates a random key, without storing it.
    init(
        _ protection: ProtectionClass,
        of keySet: [UInt8],
        random: any RandomSource
    ) throws(CryptographyError) {
        self.init(protection, of: keySet, try random.secret(AESKeyWrap.keyByteCount))
    }

    /// Opens the key of a row.
    ///
    /// - Throws: `authenticationFailed` for a row of another class, key set or class key.
    init(
        opening row: HandleKeyRow,
        under classKey: borrowing ClassKey
    ) throws(CryptographyError) {
        let secret = try row.sealed.span.withUnsafeBytes { sealed throws(CryptographyError) in
            try classKey.openEnvelope(sealed, authenticating: row.associatedData)
        }
        self.init(row.protection, of: row.keySet, secret)
    }

    /// Returns the row that stores the key.
    func sealed(
        under classKey: borrowing ClassKey,
        random: any RandomSource
    ) throws(CryptographyError) -> HandleKeyRow {
        var row = HandleKeyRow(keySet: keySet, protection: protection, sealed: [])
        row.sealed = try classKey.sealEnvelope(
            secret.secret,
            key: try random.secret(AESGCM.keyByteCount),
            nonce: try random.bytes(AESGCM.nonceByteCount),
            authenticating: row.associatedData
        )
        return row
    }
}
