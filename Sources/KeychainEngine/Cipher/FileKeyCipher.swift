import Cryptography
import KeychainMessages
import KeychainModel
import Secrets

/// The codes of the rows of file class keys, available in every lock state.
///
/// Without the code, an attacker who can write the database could plant a public key, and read the
/// files that are written while the device is locked.
/// - Source: Documentation/Spec/file-keys.md §2.
struct FileKeyRowCode: ~Copyable {
    private let authenticator: MessageAuthenticator

    init(lookupKey: borrowing Secret) throws(KeychainError) {
        let key = try fromCryptography(
            try HKDF.deriveKey(
                from: lookupKey,
                salt: [],
                info: Array("file class keys".utf8),
                byteCount: FileKeyRow.codeByteCount
            )
        )
        authenticator = try fromCryptography(try MessageAuthenticator(key: key))
    }

    func code(of row: FileKeyRow) throws(KeychainError) -> [UInt8] {
        try fromCryptography(try authenticator.authenticate(row.message))
    }

    func isSound(_ row: FileKeyRow) throws(KeychainError) -> Bool {
        guard row.isWellFormed else { return false }
        return constantTimeEquals(try code(of: row), row.code)
    }
}

/// The key that is mixed into each wrapping of `completeUnlessOpen`; known in every lock state.
///
/// Without it, an attacker who can read the public half in the database could make files that open
/// here.
/// - Source: Documentation/Spec/file-keys.md §3.
enum FileMakerKey {
    static func derive(lookupKey: borrowing Secret) throws(KeychainError) -> Secret {
        try fromCryptography(
            try HKDF.deriveKey(
                from: lookupKey,
                salt: [],
                info: Array("file keys unless open".utf8),
                byteCount: FileKeyCipher.keyByteCount
            )
        )
    }
}

/// The wrapping of the key of one file under the key of its class.
///
/// - Source: Documentation/Spec/file-keys.md §3.
struct FileKeyCipher {
    /// The key of a file, and each half of a class key.
    static let keyByteCount = 32

    let fileClass: FileClass
    let file: FileIdentifier
    let group: String

    /// Wraps under a class key that is in memory.
    ///
    /// - Parameters:
    ///   - key: The key of the file.
    ///   - classKey: The key of the class, which is not `completeUnlessOpen`.
    /// - Returns: 40 bytes.
    /// - Throws: `backend`.
    func wrap(
        _ key: borrowing Secret,
        under classKey: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        try AESKeyWrap.wrap(key, under: wrappingKey(classKey))
    }

    /// Unwraps the result of `wrap`.
    func unwrap(
        _ wrapped: [UInt8],
        under classKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        try AESKeyWrap.unwrap(wrapped, under: wrappingKey(classKey))
    }

    /// Wraps a key so that only the private half of a class key unwraps it.
    ///
    /// - Parameters:
    ///   - key: The key of the file.
    ///   - publicKey: The public half of the class key.
    ///   - maker: The `FileMakerKey`.
    ///   - ephemeral: 32 random bytes, used for this file and wrapping only.
    /// - Returns: 40 bytes, and the public half of `ephemeral`.
    /// - Throws: `invalidInput` for a public half that yields no shared secret; `backend`.
    func wrap(
        _ key: borrowing Secret,
        for publicKey: [UInt8],
        maker: borrowing Secret,
        ephemeral: borrowing Secret
    ) throws(CryptographyError) -> (wrapped: [UInt8], ephemeralPublicKey: [UInt8]) {
        let own = try PrivateKey(family: .x25519, externalRepresentation: ephemeral)
        let passing = own.publicKey.externalRepresentation
        let other = try PublicKey(family: .x25519, externalRepresentation: publicKey)
        let agreed = try own.sharedSecret(with: other)
        let wrapping = try wrappingKey(agreed, maker, passing, publicKey)
        return (try AESKeyWrap.wrap(key, under: wrapping), passing)
    }

    /// Unwraps the result of `wrap(_:for:maker:ephemeral:)`.
    func unwrap(
        _ wrapped: [UInt8],
        from ephemeralPublicKey: [UInt8],
        maker: borrowing Secret,
        with privateKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        let own = try PrivateKey(family: .x25519, externalRepresentation: privateKey)
        let other: PublicKey
        let agreed: Secret
        do throws(CryptographyError) {
            other = try PublicKey(family: .x25519, externalRepresentation: ephemeralPublicKey)
            agreed = try own.sharedSecret(with: other)
        } catch .invalidInput {
            // `wrap` never uses such a key, so the wrapped bytes are not genuine.
            throw .authenticationFailed
        }
        let publicKey = own.publicKey.externalRepresentation
        let wrapping = try wrappingKey(agreed, maker, ephemeralPublicKey, publicKey)
        return try AESKeyWrap.unwrap(wrapped, under: wrapping)
    }

    private func wrappingKey(
        _ classKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        let info = Array("file key".utf8) + [fileClass.rawValue] + Array(group.utf8)
        return try derive(from: classKey, info)
    }

    private func wrappingKey(
        _ agreed: borrowing Secret,
        _ maker: borrowing Secret,
        _ ephemeralPublicKey: [UInt8],
        _ publicKey: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let info =
            Array("file key unless open".utf8) + ephemeralPublicKey + publicKey + Array(group.utf8)
        return try derive(from: Secret(concatenating: agreed, maker), info)
    }

    private func derive(
        from key: borrowing Secret,
        _ info: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(from: key, salt: file.bytes, info: info, byteCount: Self.keyByteCount)
    }
}
