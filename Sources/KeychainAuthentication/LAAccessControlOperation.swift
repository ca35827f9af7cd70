/// The intended use of an item with an access control.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum LAAccessControlOperation: RawRepresentable, Hashable, Sendable {
    /// Adding an item.
    case createItem
    /// Reading or changing an item.
    case useItem
    /// Creating a key.
    case createKey
    /// Signing with a key.
    case useKeySign
    /// Decrypting with a key.
    case useKeyDecrypt
    /// Agreeing on a secret with a key.
    case useKeyKeyExchange
    /// A number without a name, as an enumeration imported from C can have.
    case _other(Int)

    private static let named: [Self] = [
        .createItem, .useItem, .createKey, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange,
    ]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: Int) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: Int {
        switch self {
        case .createItem: 0
        case .useItem: 1
        case .createKey: 2
        case .useKeySign: 3
        case .useKeyDecrypt: 4
        case .useKeyKeyExchange: 5
        case ._other(let number): number
        }
    }
}
