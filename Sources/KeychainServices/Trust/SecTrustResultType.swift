/// The outcome of an evaluation of trust.
///
/// A number without a name is a value, too, so a `switch` needs a `default`.
public enum SecTrustResultType: RawRepresentable, Hashable, Sendable {
    /// Nothing was evaluated.
    case invalid
    /// The certificate is trusted because somebody decided so.
    case proceed
    /// Somebody should be asked; never so here.
    case confirm
    /// Somebody decided that the certificate is not trusted; never so here.
    case deny
    /// The certificate is trusted, and nobody decided anything.
    case unspecified
    /// The certificate is not trusted, and somebody may accept it.
    case recoverableTrustFailure
    /// The certificate is not trusted, and nobody should accept it.
    case fatalTrustFailure
    /// Nothing could be evaluated.
    case otherError
    /// A number without a name, as an enumeration imported from C can have.
    case _other(UInt32)

    private static let named: [Self] = [
        .invalid, .proceed, .confirm, .deny, .unspecified, .recoverableTrustFailure,
        .fatalTrustFailure, .otherError,
    ]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: UInt32) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: UInt32 {
        switch self {
        case .invalid: 0
        case .proceed: 1
        case .confirm: 2
        case .deny: 3
        case .unspecified: 4
        case .recoverableTrustFailure: 5
        case .fatalTrustFailure: 6
        case .otherError: 7
        case ._other(let number): number
        }
    }
}
