import CoreFoundation

extension LAError {
    /// The reasons, with Apple's numbers.
    ///
    /// A number without a name is also a value, so a `switch` needs a `default`.
    public enum Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        /// The error type that the codes belong to.
        public typealias _ErrorType = LAError

        /// The user did not prove their identity.
        case authenticationFailed
        /// The user canceled.
        case userCancel
        /// The user chose the fallback button.
        case userFallback
        /// The system canceled, for example because another application came to the front.
        case systemCancel
        /// The device has no passcode.
        case passcodeNotSet
        /// The device has no usable biometry.
        case biometryNotAvailable
        /// No face or finger is enrolled.
        case biometryNotEnrolled
        /// Too many attempts failed; the passcode makes biometry available again.
        case biometryLockout
        /// The application canceled.
        case appCancel
        /// The context was invalidated before or during the call.
        case invalidContext
        /// No paired device is nearby.
        case companionNotAvailable
        /// The removable sensor is not paired.
        case biometryNotPaired
        /// The removable sensor is not connected.
        case biometryDisconnected
        /// The prompt would have an unusable size.
        case invalidDimensions
        /// The call needs a prompt, and prompts are forbidden or impossible.
        case notInteractive
        /// A number without a name, as an enumeration imported from C can have.
        case _other(Int)

        private static let named: [Self] = [
            .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet,
            .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .appCancel,
            .invalidContext, .companionNotAvailable, .biometryNotPaired, .biometryDisconnected,
            .invalidDimensions, .notInteractive,
        ]

        /// Creates the value of a number; it is never nil.
        public init?(rawValue: Int) {
            self = Self.named.first { $0.rawValue == rawValue } ?? ._other(rawValue)
        }

        /// The number.
        public var rawValue: Int {
            switch self {
            case .authenticationFailed: -1
            case .userCancel: -2
            case .userFallback: -3
            case .systemCancel: -4
            case .passcodeNotSet: -5
            case .biometryNotAvailable: -6
            case .biometryNotEnrolled: -7
            case .biometryLockout: -8
            case .appCancel: -9
            case .invalidContext: -10
            case .companionNotAvailable: -11
            case .biometryNotPaired: -12
            case .biometryDisconnected: -13
            case .invalidDimensions: -14
            case .notInteractive: -1004
            case ._other(let number): number
            }
        }
    }
}

extension LAError.Code {
    /// No paired watch is nearby.
    public static let watchNotAvailable = LAError.Code.companionNotAvailable
    /// The device has no usable finger sensor.
    @available(*, deprecated, renamed: "biometryNotAvailable")
    public static let touchIDNotAvailable = LAError.Code.biometryNotAvailable
    /// No finger is enrolled.
    @available(*, deprecated, renamed: "biometryNotEnrolled")
    public static let touchIDNotEnrolled = LAError.Code.biometryNotEnrolled
    /// Too many attempts with a finger failed.
    @available(*, deprecated, renamed: "biometryLockout")
    public static let touchIDLockout = LAError.Code.biometryLockout
}

extension LAError.Code {
    /// An invalid parameter, by Apple's number, which has no public name.
    ///
    /// - Source: Apple's source, SecItem.m (Security-61901), which turns it into `errSecParam`.
    static let parameter = LAError.Code._other(-1001)
}
