import Cryptography
import Foundation
import Secrets

/// Nonce, ciphertext and tag of a message, for any cipher.
struct SealedMessage: Sendable {
    /// The size of a nonce in bytes in the combined form of nonce, ciphertext and tag.
    static let nonceByteCount = 12
    private static let tagByteCount = AuthenticatedCipher.tagByteCount

    let nonce: [UInt8]
    let ciphertext: Data
    let tag: Data

    /// Nonce, ciphertext and tag, concatenated.
    var combined: Data { Data(nonce) + ciphertext + tag }

    init(combined: some DataProtocol) throws {
        let bytes = [UInt8](combined)
        guard bytes.count >= Self.nonceByteCount + Self.tagByteCount else {
            throw CryptoKitError.incorrectParameterSize
        }
        nonce = Array(bytes.prefix(Self.nonceByteCount))
        ciphertext = Data(bytes.dropFirst(Self.nonceByteCount).dropLast(Self.tagByteCount))
        tag = Data(bytes.suffix(Self.tagByteCount))
    }

    init(nonce: [UInt8], ciphertext: some DataProtocol, tag: some DataProtocol) throws {
        guard tag.count == Self.tagByteCount else { throw CryptoKitError.incorrectParameterSize }
        self.nonce = nonce
        self.ciphertext = Data(ciphertext)
        self.tag = Data(tag)
    }
}

/// The functions of `AES.GCM` and `ChaChaPoly`, which differ only in the cipher.
extension AuthenticatedCipher {
    static func randomNonce() -> [UInt8] {
        certain { () throws(CryptographyError) in
            try SystemRandomSource().bytes(SealedMessage.nonceByteCount)
        }
    }

    /// Reads a nonce: 12 bytes, and for AES also more.
    func nonce(_ data: some DataProtocol) throws -> [UInt8] {
        let least = SealedMessage.nonceByteCount
        guard data.count == least || (self == .aesGCM && data.count > least) else {
            throw CryptoKitError.incorrectParameterSize
        }
        return [UInt8](data)
    }

    func sealed(
        _ message: some DataProtocol,
        using key: SymmetricKey,
        nonce: [UInt8]?,
        authenticating authenticatedData: some DataProtocol
    ) throws -> SealedMessage {
        let nonce = nonce ?? Self.randomNonce()
        let authenticatedData = [UInt8](authenticatedData)
        let sealed = try withContiguousBytes(of: message) { message in
            try CryptoKitError.reporting { () throws(CryptographyError) in
                try seal(
                    message,
                    key: key.bytes.secret,
                    nonce: nonce,
                    authenticating: authenticatedData
                )
            }
        }
        return try SealedMessage(
            nonce: nonce,
            ciphertext: sealed.dropLast(Self.tagByteCount),
            tag: sealed.suffix(Self.tagByteCount)
        )
    }

    /// Decrypts into memory that is wiped, and copies the message into `Data` if its tag is right.
    func opened(
        _ message: SealedMessage,
        using key: SymmetricKey,
        authenticating authenticatedData: some DataProtocol
    ) throws -> Data {
        let plaintext = try CryptoKitError.reporting { () throws(CryptographyError) in
            SharedSecretBytes(
                try open(
                    [UInt8](message.ciphertext),
                    tag: [UInt8](message.tag),
                    key: key.bytes.secret,
                    nonce: message.nonce,
                    authenticating: [UInt8](authenticatedData)
                )
            )
        }
        return plaintext.secret.copyDataUnprotected()
    }
}

/// Lends the bytes of data in place, and joins several pieces in a copy that is wiped.
private func withContiguousBytes<R>(
    of data: some DataProtocol,
    _ body: (UnsafeRawBufferPointer) throws -> R
) throws -> R {
    if data.regions.count == 1, let region = data.regions.first {
        return try region.withUnsafeBytes(body)
    }
    return try Secret(copying: data).withUnsafeBytes { bytes in try body(bytes) }
}

extension Secret {
    /// Copies the bytes into `Data`, which is not wiped, as the name warns.
    borrowing func copyDataUnprotected() -> Data {
        withUnsafeBytes { bytes in Data(bytes) }
    }
}
