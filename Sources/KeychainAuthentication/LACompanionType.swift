/// A kind of paired device that can confirm for the user.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum LACompanionType: RawRepresentable, Hashable, Sendable {
    /// A watch.
    case watch
    /// A Mac.
    case mac
    /// A headset.
    case vision
    /// A number without a name, as an enumeration imported from C can have.
    case _other(Int)

    private static let named: [Self] = [.watch, .mac, .vision]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: Int) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: Int {
        switch self {
        case .watch: 1
        case .mac: 2
        case .vision: 4
        case ._other(let number): number
        }
    }
}
