/// The kind of operation that a key performs.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum SecKeyOperationType: RawRepresentable, Hashable, Sendable {
    /// Creating a signature with the private key.
    case sign
    /// Checking a signature with the public key.
    case verify
    /// Encrypting with the public key.
    case encrypt
    /// Decrypting with the private key.
    case decrypt
    /// Agreeing on a secret with the owner of another key.
    case keyExchange
    /// A number without a name, as an enumeration imported from C can have.
    case _other(Int)

    private static let named: [Self] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: Int) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: Int {
        switch self {
        case .sign: 0
        case .verify: 1
        case .encrypt: 2
        case .decrypt: 3
        case .keyExchange: 4
        case ._other(let number): number
        }
    }
}
