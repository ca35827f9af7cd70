/// The result of work in the background.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum UIBackgroundFetchResult: RawRepresentable, Hashable, Sendable {
    /// New data.
    case newData
    /// No new data.
    case noData
    /// A failure.
    case failed
    /// A number without a name, as an enumeration imported from C can have.
    case _other(UInt)

    private static let named: [Self] = [.newData, .noData, .failed]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: UInt) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: UInt {
        switch self {
        case .newData: 0
        case .noData: 1
        case .failed: 2
        case ._other(let number): number
        }
    }
}
