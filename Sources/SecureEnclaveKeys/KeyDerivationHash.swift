import Cryptography

/// A hash function that keys can be derived with.
///
/// A hash function of another library becomes one by an extension with this one property.
public protocol KeyDerivationHash {
    /// Which function it is.
    static var keyDerivationHash: SecureEnclave.Hash { get }
}

extension SecureEnclave {
    /// The functions that there are (FIPS 180-4).
    public enum Hash: Sendable, Hashable {
        /// SHA-256.
        case sha256
        /// SHA-384.
        case sha384
        /// SHA-512.
        case sha512

        var algorithm: HashAlgorithm {
            switch self {
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        }
    }

    /// SHA-256, to be named in a derivation.
    public enum SHA256: KeyDerivationHash {
        /// SHA-256.
        public static var keyDerivationHash: Hash { .sha256 }
    }

    /// SHA-384, to be named in a derivation.
    public enum SHA384: KeyDerivationHash {
        /// SHA-384.
        public static var keyDerivationHash: Hash { .sha384 }
    }

    /// SHA-512, to be named in a derivation.
    public enum SHA512: KeyDerivationHash {
        /// SHA-512.
        public static var keyDerivationHash: Hash { .sha512 }
    }
}
