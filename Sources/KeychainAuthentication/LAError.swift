/// The domain of `LAError`.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why a person was not authenticated.
public struct LAError: _BridgedStoredNSError {
    /// The error as an object.
    public let _nsError: NSError

    /// Wraps an error of `LAErrorDomain`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// `LAErrorDomain`.
    public static var errorDomain: String { LAErrorDomain }

    /// `LAErrorDomain`, under the name that Foundation's bridging asks for.
    public static var _nsErrorDomain: String { LAErrorDomain }

    /// The reasons, by Apple's numbers.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error type that the codes belong to.
        public typealias _ErrorType = LAError

        /// The person could not prove who they are.
        case authenticationFailed = -1
        /// The person canceled.
        case userCancel = -2
        /// The person chose the fallback.
        case userFallback = -3
        /// The system canceled, for example because another application came forward.
        case systemCancel = -4
        /// The device has no passcode.
        case passcodeNotSet = -5
        /// The device has no usable biometry.
        case biometryNotAvailable = -6
        /// No face or finger is enrolled.
        case biometryNotEnrolled = -7
        /// Too many attempts failed; the passcode opens biometry again.
        case biometryLockout = -8
        /// The application canceled.
        case appCancel = -9
        /// The context was invalidated.
        case invalidContext = -10
        /// No paired device is nearby.
        case companionNotAvailable = -11
        /// The removable sensor is not paired.
        case biometryNotPaired = -12
        /// The removable sensor is not connected.
        case biometryDisconnected = -13
        /// The prompt would have no usable size.
        case invalidDimensions = -14
        /// A prompt would be needed and cannot be shown.
        case notInteractive = -1004
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
    /// Too many fingers failed.
    @available(*, deprecated, renamed: "biometryLockout")
    public static let touchIDLockout = LAError.Code.biometryLockout
}

extension LAError {
    /// The person could not prove who they are.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The person canceled.
    public static var userCancel: Code { .userCancel }
    /// The person chose the fallback.
    public static var userFallback: Code { .userFallback }
    /// The system canceled.
    public static var systemCancel: Code { .systemCancel }
    /// The device has no passcode.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// The device has no usable biometry.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No face or finger is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Too many attempts failed.
    public static var biometryLockout: Code { .biometryLockout }
    /// The application canceled.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated.
    public static var invalidContext: Code { .invalidContext }
    /// No paired device is nearby.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// No paired watch is nearby.
    public static var watchNotAvailable: Code { .watchNotAvailable }
    /// The removable sensor is not paired.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The removable sensor is not connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// The prompt would have no usable size.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// A prompt would be needed and cannot be shown.
    public static var notInteractive: Code { .notInteractive }

    /// An error with a sentence for people.
    init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
