/// A kind of credential that an application stores in a context.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum LACredentialType: RawRepresentable, Hashable, Sendable {
    /// A password that is part of an item's key.
    case applicationPassword
    /// The PIN of a smart card.
    case smartCardPIN
    /// A number without a name, as an enumeration imported from C can have.
    case _other(Int)

    private static let named: [Self] = [.applicationPassword, .smartCardPIN]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: Int) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: Int {
        switch self {
        case .applicationPassword: 0
        case .smartCardPIN: -3
        case ._other(let number): number
        }
    }
}
