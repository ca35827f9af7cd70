import Secrets

/// A source of random bytes for keys, nonces and identifiers.
package protocol RandomSource: Sendable {
    /// Overwrites every byte of the buffer.
    ///
    /// - Throws: `backend` if there is no randomness.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError)
}

extension RandomSource {
    /// Generates bytes that need no protection, such as nonces and salts.
    ///
    /// - Parameter count: At least 0.
    /// - Returns: `count` bytes.
    /// - Throws: `backend`.
    package func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBufferPointer { buffer throws(CryptographyError) in
            try fill(UnsafeMutableRawBufferPointer(buffer))
        }
        return bytes
    }

    /// Generates a key, straight into memory that is wiped.
    ///
    /// - Parameter count: The size in bytes, at least 0.
    /// - Returns: `count` secret bytes.
    /// - Throws: `backend`.
    package func secret(_ count: Int) throws(CryptographyError) -> Secret {
        try Secret(byteCount: count) { buffer throws(CryptographyError) in try fill(buffer) }
    }
}
