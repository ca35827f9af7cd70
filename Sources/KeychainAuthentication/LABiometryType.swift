/// A device's kind of biometry.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum LABiometryType: RawRepresentable, Hashable, Sendable {
    /// No biometry.
    case none
    /// Recognition of a finger.
    case touchID
    /// Recognition of a face.
    case faceID
    /// Recognition of an iris.
    case opticID
    /// A number without a name, as an enumeration imported from C can have.
    case _other(Int)

    private static let named: [Self] = [.none, .touchID, .faceID, .opticID]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: Int) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: Int {
        switch self {
        case .none: 0
        case .touchID: 1
        case .faceID: 2
        case .opticID: 4
        case ._other(let number): number
        }
    }
}
