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

    /// The scheme of the identifier; nil for an unknown identifier.
    var scheme: KeyScheme? { KeyScheme(identifier: identifier) }
}

extension SecKeyOperationType {
    /// The operation of the number; nil for an unknown number.
    var operation: KeyOperation? {
        switch self {
        case .sign: .sign
        case .verify: .verify
        case .encrypt: .encrypt
        case .decrypt: .decrypt
        case .keyExchange: .exchange
        default: nil
        }
    }
}
