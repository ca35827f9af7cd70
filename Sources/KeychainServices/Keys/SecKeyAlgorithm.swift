import CoreFoundation
import Cryptography

/// A way of signing, encrypting or agreeing with a key.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    private let identifier: String

    /// An algorithm by Apple's identifier; one that does not exist is supported by no key.
    public init(rawValue: CFString) { identifier = rawValue as String }

    init(_ scheme: KeyScheme) { identifier = scheme.identifier }

    /// Apple's identifier, such as `algid:sign:ECDSA:message-X962:SHA256`.
    public var rawValue: CFString { NSString(string: identifier) }

    /// What the identifier stands for; nil for one that does not exist.
    var scheme: KeyScheme? { KeyScheme(identifier: identifier) }
}

/// What a key is to be used for.
public enum SecKeyOperationType: Int, Sendable {
    /// Making a signature.
    case sign = 0
    /// Checking a signature.
    case verify = 1
    /// Encrypting for the holder of the private key.
    case encrypt = 2
    /// Decrypting with the private key.
    case decrypt = 3
    /// Agreeing on a secret.
    case keyExchange = 4

    var operation: KeyOperation {
        switch self {
        case .sign: .sign
        case .verify: .verify
        case .encrypt: .encrypt
        case .decrypt: .decrypt
        case .keyExchange: .exchange
        }
    }
}
