/// The outcome of an evaluation of trust.
///
/// A number without a name is also a value, so a `switch` needs a `default`.
public enum SecTrustResultType: RawRepresentable, Hashable, Sendable {
    /// There was no evaluation.
    case invalid
    /// The certificate is trusted by a decision of the user.
    case proceed
    /// The user should be asked; never the result here.
    case confirm
    /// The certificate is not trusted by a decision of the user; never the result here.
    case deny
    /// The certificate is trusted without a decision of the user.
    case unspecified
    /// The certificate is not trusted, but the user may accept it.
    case recoverableTrustFailure
    /// The certificate is not trusted, and the user should not accept it.
    case fatalTrustFailure
    /// The evaluation itself failed.
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
