import Secrets

/// Where keys, nonces and identifiers come from.
package protocol RandomSource: Sendable {
    /// Overwrites every byte of the buffer.
    ///
    /// - Throws: `backend` when there is no randomness to be had.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError)
}

extension RandomSource {
    /// Makes bytes that need no protection, such as nonces and salts.
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

    /// Makes a key, straight into wiped memory.
    ///
    /// - Parameter count: The size in bytes, at least 0.
    /// - Returns: `count` secret bytes.
    /// - Throws: `backend`.
    package func secret(_ count: Int) throws(CryptographyError) -> Secret {
        try Secret(byteCount: count) { buffer throws(CryptographyError) in try fill(buffer) }
    }
}
