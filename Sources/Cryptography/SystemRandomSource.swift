/// The kernel's random bytes; waits at boot until there are enough, then never again.
package struct SystemRandomSource: RandomSource {
    /// Creates a source.
    package init() {}

    /// Overwrites every byte of the buffer with output of getrandom(2).
    ///
    /// - Throws: `backend` when the kernel refuses.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        try Self.fillFromKernel(buffer)
    }
}
