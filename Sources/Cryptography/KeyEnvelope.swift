import Secrets

/// Data sealed under a key of its own, together with that key, wrapped under another (AES-256-GCM
/// for both, NIST SP 800-38D; RFC 7518 §4.7 calls such a wrapped key A256GCMKW).
///
/// nonce (12) ‖ wrapped key (32) ‖ tag (16) ‖ ciphertext ‖ tag (16)
///
/// Both use the same nonce, because the data's key is used once. The additional data are
/// authenticated with the data's key, which no other data have. One libcrypto context serves both,
/// so this costs half as much as a key wrap of RFC 3394 before the same cipher.
package enum KeyEnvelope {
    /// The number of bytes that an envelope adds to its content.
    package static let overheadByteCount =
        AESGCM.nonceByteCount + wrappedByteCount + AESGCM.tagByteCount

    static let wrappedByteCount = AESGCM.keyByteCount + AESGCM.tagByteCount

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - plaintext: At most 1 GiB, possibly empty.
    ///   - key: 32 random bytes that were never used before.
    ///   - nonce: 12 bytes, not used before under the wrapping key; if they are random, that key
    ///     seals at most 2^32 envelopes.
    ///   - wrappingKey: 32 bytes.
    ///   - authenticatedData: Bytes that are not in the result but must be the same to open it.
    /// - Returns: 76 bytes more than the plaintext.
    /// - Throws: `invalidKeySize`, `invalidInput` or `backend`.
    package static func seal(
        _ plaintext: borrowing Secret,
        key: borrowing Secret,
        nonce: [UInt8],
        under wrappingKey: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let wrapped = try AESGCM.seal(
            key,
            key: wrappingKey,
            nonce: nonce,
            authenticating: authenticatedData
        )
        let sealed = try AESGCM.seal(plaintext, key: key, nonce: nonce, authenticating: [])
        return nonce + wrapped + sealed
    }

    /// Verifies and decrypts, straight into wiped memory.
    ///
    /// - Parameters:
    ///   - envelope: The result of `seal`.
    ///   - wrappingKey: The 32 bytes it was sealed under.
    ///   - authenticatedData: The bytes it was sealed with.
    /// - Returns: The plaintext.
    /// - Throws: `authenticationFailed` if anything differs; `invalidKeySize`, `invalidInput` or
    ///   `backend`.
    package static func open(
        _ envelope: UnsafeRawBufferPointer,
        under wrappingKey: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let nonceCount = AESGCM.nonceByteCount
        try AESGCM.check(key: wrappingKey, nonce: nonceCount, authenticatedData: authenticatedData)
        guard envelope.count >= overheadByteCount else { throw .authenticationFailed }
        guard envelope.count - overheadByteCount <= AESGCM.byteCountLimit else {
            throw .invalidInput("sealed data over 1 GiB")
        }
        let parts = envelope.split(at: nonceCount)
        let sealed = parts.rest.split(at: wrappedByteCount)
        return try decrypt(
            sealed.rest,
            wrappedKey: sealed.first,
            nonce: parts.first,
            under: wrappingKey,
            authenticating: authenticatedData
        )
    }

    /// Wraps an envelope's key under another key; the content and its nonce stay.
    ///
    /// - Parameters:
    ///   - envelope: The result of `seal`.
    ///   - old: The 32 bytes it was sealed under.
    ///   - new: 32 bytes under which the envelope's nonce was not used before.
    ///   - authenticatedData: The bytes it was sealed with.
    /// - Returns: An envelope of the same size.
    /// - Throws: `authenticationFailed` if the old key or the authenticated data differ, without
    ///   reading the content; `invalidKeySize`, `invalidInput` or `backend`.
    package static func rewrap(
        _ envelope: ArraySlice<UInt8>,
        from old: borrowing Secret,
        to new: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard envelope.count >= overheadByteCount else { throw .authenticationFailed }
        let nonce = [UInt8](envelope.prefix(AESGCM.nonceByteCount))
        let rest = envelope.dropFirst(AESGCM.nonceByteCount)
        let key = try AESGCM.open(
            rest.prefix(wrappedByteCount),
            key: old,
            nonce: nonce,
            authenticating: authenticatedData
        )
        let wrapped = try AESGCM.seal(
            key,
            key: new,
            nonce: nonce,
            authenticating: authenticatedData
        )
        return nonce + wrapped + rest.dropFirst(wrappedByteCount)
    }

    /// Verifies and decrypts a slice of an array; see the overload for raw bytes.
    package static func open(
        _ envelope: ArraySlice<UInt8>,
        under wrappingKey: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try envelope.span.withUnsafeBytes { envelope throws(CryptographyError) in
            try open(envelope, under: wrappingKey, authenticating: authenticatedData)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the first bytes, and the rest.
    func split(at count: Int) -> (first: UnsafeRawBufferPointer, rest: UnsafeRawBufferPointer) {
        (
            UnsafeRawBufferPointer(rebasing: self[..<count]),
            UnsafeRawBufferPointer(rebasing: self[count...])
        )
    }
}
