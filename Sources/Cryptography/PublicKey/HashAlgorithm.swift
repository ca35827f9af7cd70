/// The hash functions that signatures, paddings and key derivations name (FIPS 180-4).
package enum HashAlgorithm: Sendable, Hashable, CaseIterable {
    case sha1
    case sha224
    case sha256
    case sha384
    case sha512

    /// The size of a hash in bytes.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The function's name in libcrypto.
    var name: String {
        switch self {
        case .sha1: "SHA1"
        case .sha224: "SHA2-224"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }

    /// The size of the DigestInfo header that PKCS#1 v1.5 puts before the hash, in bytes.
    var digestInfoHeaderByteCount: Int { self == .sha1 ? 15 : 19 }
}
