@_implementationOnly import CCrypto

extension Digest {
    /// The hash functions there are.
    enum HashFunction {
        case sha1
        case sha256

        /// The size of a hash in bytes.
        var byteCount: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            }
        }

        fileprivate var algorithm: Algorithm {
            switch self {
            case .sha1: .sha1
            case .sha256: .sha256
            }
        }
    }

    /// Hashes raw bytes; see `sha1` and `sha256`.
    static func hash(
        _ message: UnsafeRawBufferPointer,
        with function: HashFunction
    ) throws(CryptographyError) -> [UInt8] {
        forgetEarlierErrors()
        let algorithm = try function.algorithm.pointer()
        var hash = [UInt8](repeating: 0, count: function.byteCount)
        try require(
            EVP_Digest(message.baseAddress, message.count, &hash, nil, algorithm, nil)
        )
        return hash
    }
}
