/// A policy: the proof that the user must give.
///
/// A number without a name is also a value, so a `switch` needs a `default`.
public enum LAPolicy: RawRepresentable, Hashable, Sendable {
    /// Biometry.
    case deviceOwnerAuthenticationWithBiometrics
    /// Biometry or the passcode.
    case deviceOwnerAuthentication
    /// A paired device nearby.
    case deviceOwnerAuthenticationWithCompanion
    /// Biometry or a paired device nearby.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion
    /// The passcode; this device has no wrist detection.
    case deviceOwnerAuthenticationWithWristDetection
    /// A number without a name, as an enumeration imported from C can have.
    case _other(Int)

    private static let named: [Self] = [
        .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication,
        .deviceOwnerAuthenticationWithCompanion,
        .deviceOwnerAuthenticationWithBiometricsOrCompanion,
        .deviceOwnerAuthenticationWithWristDetection,
    ]

    /// Creates the value of a number; it is never nil.
    public init?(rawValue: Int) {
        self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
    }

    /// The number.
    public var rawValue: Int {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: 1
        case .deviceOwnerAuthentication: 2
        case .deviceOwnerAuthenticationWithCompanion: 3
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: 4
        case .deviceOwnerAuthenticationWithWristDetection: 5
        case ._other(let number): number
        }
    }
}

extension LAPolicy {
    /// A paired watch nearby.
    public static let deviceOwnerAuthenticationWithWatch =
        LAPolicy.deviceOwnerAuthenticationWithCompanion
    /// Biometry or a paired watch nearby.
    public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
        LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
}
