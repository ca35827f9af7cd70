import Cryptography
import DataProtection
import Secrets

/// A key that wraps the keys of item halves: a class key or a metadata key.
protocol KeyWrapping: ~Copyable {
    borrowing func wrap(_ itemKey: borrowing Secret) throws(CryptographyError) -> [UInt8]
    borrowing func unwrap(_ wrapped: UnsafeRawBufferPointer) throws(CryptographyError) -> Secret

    /// Seals data with a new key, and wraps that key; see `KeyEnvelope`.
    borrowing func sealEnvelope(
        _ plaintext: borrowing Secret,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8]

    /// Opens the result of `sealEnvelope`.
    borrowing func openEnvelope(
        _ envelope: UnsafeRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret

    /// Rewraps the key of an envelope under another key of the same kind.
    borrowing func rewrapEnvelope(
        _ envelope: ArraySlice<UInt8>,
        to new: borrowing Self,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8]
}

extension KeyWrapping where Self: ~Copyable {
    /// Unwraps a key from an array.
    borrowing func unwrap(_ wrapped: [UInt8]) throws(CryptographyError) -> Secret {
        try wrapped.span.withUnsafeBytes { wrapped throws(CryptographyError) in
            try unwrap(wrapped)
        }
    }
}

extension ClassKey: KeyWrapping {}

/// A key held as a secret in memory, unlike a class key, which the device keeps to itself.
protocol HeldKey: KeyWrapping, Sendable {
    var secret: SharedSecret { get }
}

extension HeldKey {
    func wrap(_ itemKey: borrowing Secret) throws(CryptographyError) -> [UInt8] {
        try AESKeyWrap.wrap(itemKey, under: secret.secret)
    }

    func unwrap(_ wrapped: UnsafeRawBufferPointer) throws(CryptographyError) -> Secret {
        try AESKeyWrap.unwrap(wrapped, under: secret.secret)
    }

    func sealEnvelope(
        _ plaintext: borrowing Secret,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try KeyEnvelope.seal(
            plaintext,
            key: key,
            nonce: nonce,
            under: secret.secret,
            authenticating: authenticatedData
        )
    }

    func openEnvelope(
        _ envelope: UnsafeRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try KeyEnvelope.open(
            envelope,
            under: secret.secret,
            authenticating: authenticatedData
        )
    }

    func rewrapEnvelope(
        _ envelope: ArraySlice<UInt8>,
        to new: Self,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try KeyEnvelope.rewrap(
            envelope,
            from: secret.secret,
            to: new.secret.secret,
            authenticating: authenticatedData
        )
    }
}

/// The key that seals the attributes of a protection class's items; wiped when evicted.
struct MetadataKey: HeldKey {
    let secret: SharedSecret
}
