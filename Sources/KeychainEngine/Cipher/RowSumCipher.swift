import Cryptography
import KeychainModel
import Secrets

/// The entries of rows and the sealing of their sum, available in every lock state.
///
/// Both stay secret: otherwise an attacker could choose rows whose entries cancel each other out.
/// - Source: Documentation/Spec/store.md §6.
struct RowSumCipher: Sendable {
    static let version: UInt8 = 1
    private static let name = Array("row sum".utf8)

    private let authenticator: MessageAuthenticator
    private let sealingKey: SharedSecret

    init(lookupKey: borrowing Secret) throws(KeychainError) {
        let key = try Self.key(from: lookupKey, "row sum")
        authenticator = try fromCryptography(try MessageAuthenticator(key: key))
        sealingKey = SharedSecret(try Self.key(from: lookupKey, "sealed row sum"))
    }

    private static func key(
        from lookupKey: borrowing Secret,
        _ info: String
    ) throws(KeychainError) -> Secret {
        try fromCryptography(
            try HKDF.deriveKey(
                from: lookupKey,
                salt: [],
                info: Array(info.utf8),
                byteCount: AESGCM.keyByteCount
            )
        )
    }

    /// Returns the entry of one row: the code of class letters ‖ row number ‖ binding.
    func entry(of mark: RowMark) throws(KeychainError) -> RowSum {
        let message =
            Array(mark.itemClass.rawValue.utf8) + Coercion.littleEndian(mark.row) + mark.binding
        let code = try fromCryptography(try authenticator.authenticate(message))
        guard let entry = RowSum(entry: code) else {
            throw KeychainError(.internalComponent, "an authentication code has a wrong size")
        }
        return entry
    }

    /// Returns version ‖ nonce ‖ ciphertext ‖ tag: 69 bytes.
    func seal(_ sum: RowSum, random: any RandomSource) throws(KeychainError) -> [UInt8] {
        let nonce = try fromCryptography(try random.bytes(AESGCM.nonceByteCount))
        let sealed = try fromCryptography(
            try AESGCM.seal(
                sum.encoded,
                key: sealingKey.secret,
                nonce: nonce,
                authenticating: [Self.version] + Self.name
            )
        )
        return [Self.version] + nonce + sealed
    }

    /// Opens a sealed sum; returns nil for bytes that were not sealed under this keychain's key.
    func open(_ sealed: [UInt8]) -> RowSum? {
        guard sealed.first == Self.version, sealed.count > 1 + AESGCM.nonceByteCount else {
            return nil
        }
        let body = sealed[(1 + AESGCM.nonceByteCount)...]
        let opened = try? AESGCM.open(
            body,
            key: sealingKey.secret,
            nonce: sealed[1..<1 + AESGCM.nonceByteCount],
            authenticating: [Self.version] + Self.name
        )
        return opened?.withUnsafeBytes { RowSum(decoding: Array($0)) }
    }
}
