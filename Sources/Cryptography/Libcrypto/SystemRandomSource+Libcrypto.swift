import Glibc

@_implementationOnly import CCrypto

extension SystemRandomSource {
    /// Asks the kernel until every byte is written; interruptions and short answers are normal.
    ///
    /// - Throws: `backend` when the kernel refuses.
    static func fillFromKernel(
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        var remaining = buffer[...]
        while !remaining.isEmpty {
            let rest = UnsafeMutableRawBufferPointer(rebasing: remaining)
            guard let start = rest.baseAddress else { return }
            let result = ccrypto_getrandom(start, rest.count)
            if result > 0 {
                remaining = remaining.dropFirst(result)
            } else if result != -Int(EINTR) {
                throw .backend("getrandom failed with errno \(-result)")
            }
        }
    }
}
