import Cryptography
import Secrets

/// A class key in memory, which wraps and unwraps item keys and never leaves this type.
///
/// Its 32 bytes are wiped at the end of the value's life, so evicting a class is an assignment.
package struct ClassKey: ~Copyable, Sendable {
    /// The size of a class key in bytes.
    package static let byteCount = 32

    /// The key; only this target reads it, to wrap it into keybags and session images.
    let secret: Secret

    /// Takes over the bytes of a key.
    ///
    /// - Parameter secret: 32 bytes.
    init(_ secret: consuming Secret) {
        precondition(secret.byteCount == Self.byteCount, "A class key has 32 bytes.")
        self.secret = secret
    }

    /// Creates a random key, under which nothing is sealed yet.
    ///
    /// - Throws: `backend`.
    init(random: any RandomSource) throws(CryptographyError) {
        self.init(try random.secret(Self.byteCount))
    }

    /// Wraps an item key (AES key wrap, RFC 3394).
    ///
    /// - Parameter itemKey: 16 to 4096 bytes, a multiple of 8.
    /// - Returns: 8 bytes more than the key has: the check value, then the wrapped key.
    /// - Throws: `invalidInput` for the key's size, or `backend`.
    package borrowing func wrap(
        _ itemKey: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        try AESKeyWrap.wrap(itemKey, under: secret)
    }

    /// Unwraps an item key that `wrap` of the same class key returned.
    ///
    /// - Returns: The key, 8 bytes shorter than its wrapped form.
    /// - Throws: `authenticationFailed` for another class key or changed bytes; `invalidInput` or
    ///   `backend`.
    package borrowing func unwrap(
        _ wrapped: UnsafeRawBufferPointer
    ) throws(CryptographyError) -> Secret {
        try AESKeyWrap.unwrap(wrapped, under: secret)
    }

    /// Seals data with a new key, and wraps that key; see `KeyEnvelope`.
    ///
    /// - Throws: `invalidKeySize`, `invalidInput` or `backend`.
    package borrowing func sealEnvelope(
        _ plaintext: borrowing Secret,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try KeyEnvelope.seal(
            plaintext,
            key: key,
            nonce: nonce,
            under: secret,
            authenticating: authenticatedData
        )
    }

    /// Rewraps the key of an envelope under another class key; see `KeyEnvelope`.
    ///
    /// - Throws: `authenticationFailed` for another class key or changed bytes; `invalidKeySize`,
    ///   `invalidInput` or `backend`.
    package borrowing func rewrapEnvelope(
        _ envelope: ArraySlice<UInt8>,
        to new: borrowing ClassKey,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try KeyEnvelope.rewrap(
            envelope,
            from: secret,
            to: new.secret,
            authenticating: authenticatedData
        )
    }

    /// Opens the result of `sealEnvelope` of the same class key.
    ///
    /// - Throws: `authenticationFailed` for another class key or changed bytes; `invalidInput` or
    ///   `backend`.
    package borrowing func openEnvelope(
        _ envelope: UnsafeRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try KeyEnvelope.open(envelope, under: secret, authenticating: authenticatedData)
    }
}
