/// Hashes of bytes (FIPS 180-4).
package enum Digest {
    /// Hashes to 20 bytes; only for formats that prescribe it, such as public key identifiers.
    ///
    /// - Throws: `backend`.
    package static func sha1(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try hash(message, with: .sha1)
    }

    /// Hashes to 32 bytes.
    ///
    /// - Throws: `backend`.
    package static func sha256(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try hash(message, with: .sha256)
    }

    /// Hashes raw bytes to 32 bytes.
    ///
    /// - Throws: `backend`.
    package static func sha256(
        _ message: UnsafeRawBufferPointer
    ) throws(CryptographyError) -> [UInt8] {
        try hash(message, with: .sha256)
    }

    private static func hash(
        _ message: [UInt8],
        with function: HashFunction
    ) throws(CryptographyError) -> [UInt8] {
        try message.withUnsafeBufferPointer { bytes throws(CryptographyError) in
            try hash(UnsafeRawBufferPointer(bytes), with: function)
        }
    }
}
