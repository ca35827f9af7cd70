import Secrets

/// Derivation of keys from an agreed secret (ANSI X9.63, SEC 1 §3.6.1).
package enum X963KDF {
    /// The sizes of derived keys in bytes.
    package static let byteCounts = 1...(1 << 20)

    /// The largest shared information in bytes.
    static let sharedInfoByteCountLimit = 1 << 20

    /// Derives a key.
    ///
    /// - Parameters:
    ///   - secret: The agreed secret; not empty.
    ///   - sharedInfo: Bytes that both sides know; at most 1 MiB.
    ///   - byteCount: The size of the result: 1 byte to 1 MiB.
    ///   - hash: The hash function of the derivation.
    /// - Returns: The key.
    /// - Throws: `invalidInput` outside these limits; `backend`.
    package static func deriveKey(
        from secret: borrowing Secret,
        sharedInfo: [UInt8],
        byteCount: Int,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        guard secret.byteCount > 0 else { throw .invalidInput("empty secret") }
        guard byteCounts.contains(byteCount) else {
            throw .invalidInput("derived key not of 1 byte to 1 MiB")
        }
        guard sharedInfo.count <= sharedInfoByteCountLimit else {
            throw .invalidInput("shared information over 1 MiB")
        }
        return try derive(from: secret, sharedInfo: sharedInfo, byteCount: byteCount, hash: hash)
    }
}
