import Secrets

/// Authenticated encryption under a 256-bit key (AES-256-GCM, NIST SP 800-38D).
///
/// A nonce must never repeat under one key. A caller with random nonces must change the key before
/// 2^32 seals.
package enum AESGCM {
    /// The size of a key in bytes.
    package static let keyByteCount = 32

    /// The size of a nonce in bytes.
    package static let nonceByteCount = 12

    /// The size of the authentication tag in bytes; sealed data is longer than plaintext by this.
    package static let tagByteCount = 16

    /// The largest plaintext or authenticated data of one call in bytes.
    static let byteCountLimit = 1 << 30

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - plaintext: At most 1 GiB, possibly empty.
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, not used before under this key.
    ///   - authenticatedData: Bytes that are not in the result but must be the same to open it.
    /// - Returns: The ciphertext, as long as the plaintext, then the 16-byte tag.
    /// - Throws: `invalidKeySize`, `invalidInput` or `backend`.
    package static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try check(key: key, nonce: nonce.count, authenticatedData: authenticatedData)
        guard plaintext.count <= byteCountLimit else { throw .invalidInput("plaintext over 1 GiB") }
        return try encrypt(
            plaintext,
            key: key,
            nonce: nonce,
            authenticating: authenticatedData
        )
    }

    /// Encrypts and authenticates a secret; see the overload for raw bytes.
    package static func seal(
        _ plaintext: borrowing Secret,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try plaintext.withUnsafeBytes { bytes throws(CryptographyError) in
            try seal(bytes, key: key, nonce: nonce, authenticating: authenticatedData)
        }
    }

    /// Encrypts and authenticates ordinary bytes; see the overload for raw bytes.
    package static func seal(
        _ plaintext: [UInt8],
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try plaintext.withUnsafeBufferPointer { bytes throws(CryptographyError) in
            try seal(
                UnsafeRawBufferPointer(bytes),
                key: key,
                nonce: nonce,
                authenticating: authenticatedData
            )
        }
    }

    /// Verifies and decrypts, straight into wiped memory.
    ///
    /// - Parameters:
    ///   - sealed: The result of `seal`: at least the 16-byte tag.
    ///   - key: The 32 bytes it was sealed under.
    ///   - nonce: The 12 bytes it was sealed with.
    ///   - authenticatedData: The bytes it was sealed with.
    /// - Returns: The plaintext.
    /// - Throws: `authenticationFailed` if anything differs; `invalidKeySize`, `invalidInput` or
    ///   `backend`.
    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: UnsafeRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try check(key: key, nonce: nonce.count, authenticatedData: authenticatedData)
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        guard sealed.count - tagByteCount <= byteCountLimit else {
            throw .invalidInput("sealed data over 1 GiB")
        }
        return try decrypt(sealed, key: key, nonce: nonce, authenticating: authenticatedData)
    }

    /// Verifies and decrypts slices of arrays; see the overload for raw bytes.
    package static func open(
        _ sealed: ArraySlice<UInt8>,
        key: borrowing Secret,
        nonce: ArraySlice<UInt8>,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try sealed.span.withUnsafeBytes { sealed throws(CryptographyError) in
            try nonce.span.withUnsafeBytes { nonce throws(CryptographyError) in
                try open(sealed, key: key, nonce: nonce, authenticating: authenticatedData)
            }
        }
    }

    /// Verifies and decrypts with a nonce that is an array; see the overload for a slice.
    package static func open(
        _ sealed: ArraySlice<UInt8>,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try open(sealed, key: key, nonce: nonce[...], authenticating: authenticatedData)
    }

    /// Verifies and decrypts a whole array; see the overload for a slice.
    package static func open(
        _ sealed: [UInt8],
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try open(sealed[...], key: key, nonce: nonce[...], authenticating: authenticatedData)
    }

    static func check(
        key: borrowing Secret,
        nonce byteCount: Int,
        authenticatedData: [UInt8]
    ) throws(CryptographyError) {
        guard key.byteCount == keyByteCount else {
            throw .invalidKeySize(expected: keyByteCount, actual: key.byteCount)
        }
        guard byteCount == nonceByteCount else { throw .invalidInput("nonce not of 12 bytes") }
        guard authenticatedData.count <= byteCountLimit else {
            throw .invalidInput("authenticated data over 1 GiB")
        }
    }
}
