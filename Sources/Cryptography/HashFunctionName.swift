/// A hash function by its name, including MD5, which no signature here may use.
package enum HashFunctionName: Sendable, Hashable {
    case md5
    case sha1
    case sha256
    case sha384
    case sha512

    /// The size of a hash in bytes.
    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The function's name in libcrypto.
    var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }
}
