internal import Cryptography

/// A hash function for key derivation.
///
/// To use the hash function of another library, extend it with this one property:
///
/// ```swift
/// extension Crypto.SHA256: KeyDerivationHash {
///     public static var keyDerivationHash: SecureEnclave.Hash { .sha256 }
/// }
/// ```
public protocol KeyDerivationHash {
    /// The hash function that the type represents.
    static var keyDerivationHash: SecureEnclave.Hash { get }
}

extension SecureEnclave {
    /// A supported hash function (FIPS 180-4).
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

    /// SHA-256 as an argument of a derivation.
    public enum SHA256: KeyDerivationHash {
        /// SHA-256.
        public static var keyDerivationHash: Hash { .sha256 }
    }

    /// SHA-384 as an argument of a derivation.
    public enum SHA384: KeyDerivationHash {
        /// SHA-384.
        public static var keyDerivationHash: Hash { .sha384 }
    }

    /// SHA-512 as an argument of a derivation.
    public enum SHA512: KeyDerivationHash {
        /// SHA-512.
        public static var keyDerivationHash: Hash { .sha512 }
    }
}
