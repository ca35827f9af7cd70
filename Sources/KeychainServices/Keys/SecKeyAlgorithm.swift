import CoreFoundation
import Cryptography

/// An algorithm that signs, encrypts or agrees on a secret with a key.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    private let identifier: String

    /// Creates an algorithm from Apple's identifier; no key supports an unknown identifier.
    public init(rawValue: CFString) { identifier = rawValue as String }

    init(_ scheme: KeyScheme) { identifier = scheme.identifier }

    /// Apple's identifier, such as `algid:sign:ECDSA:message-X962:SHA256`.
    public var rawValue: CFString { NSString(string: identifier) }

    /// What the identifier stands for; nil for one that does not exist.
    var scheme: KeyScheme? { KeyScheme(identifier: identifier) }
}

/// The kind of operation that a key performs.
public enum SecKeyOperationType: Int, Sendable {
    /// Creating a signature with the private key.
    case sign = 0
    /// Checking a signature.
    case verify = 1
    /// Encrypting for the owner of the private key.
    case encrypt = 2
    /// Decrypting with the private key.
    case decrypt = 3
    /// Agreeing on a secret with the owner of another key.
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
