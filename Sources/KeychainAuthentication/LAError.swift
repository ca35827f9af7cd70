/// The domain of `LAError`.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// The reason why the user was not authenticated.
public struct LAError: _BridgedStoredNSError {
    /// The error as an `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of `LAErrorDomain`.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The domain of the errors, `LAErrorDomain`.
    public static var errorDomain: String { LAErrorDomain }

    /// The domain of the errors under the name that Foundation's bridging requires.
    public static var _nsErrorDomain: String { LAErrorDomain }

    /// The reasons, with Apple's numbers.
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        /// The error type that the codes belong to.
        public typealias _ErrorType = LAError

        /// The user did not prove their identity.
        case authenticationFailed = -1
        /// The user canceled.
        case userCancel = -2
        /// The user chose the fallback button.
        case userFallback = -3
        /// The system canceled, for example because another application came to the front.
        case systemCancel = -4
        /// The device has no passcode.
        case passcodeNotSet = -5
        /// The device has no usable biometry.
        case biometryNotAvailable = -6
        /// No face or finger is enrolled.
        case biometryNotEnrolled = -7
        /// Too many attempts failed; the passcode makes biometry available again.
        case biometryLockout = -8
        /// The application canceled.
        case appCancel = -9
        /// The context was invalidated before or during the call.
        case invalidContext = -10
        /// No paired device is nearby.
        case companionNotAvailable = -11
        /// The removable sensor is not paired.
        case biometryNotPaired = -12
        /// The removable sensor is not connected.
        case biometryDisconnected = -13
        /// The prompt would have an unusable size.
        case invalidDimensions = -14
        /// The call needs a prompt, and prompts are forbidden or impossible.
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
    /// Too many attempts with a finger failed.
    @available(*, deprecated, renamed: "biometryLockout")
    public static let touchIDLockout = LAError.Code.biometryLockout
}

extension LAError {
    /// The user did not prove their identity.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The user canceled.
    public static var userCancel: Code { .userCancel }
    /// The user chose the fallback button.
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
    /// The prompt would have an unusable size.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// The call needs a prompt, and prompts are forbidden or impossible.
    public static var notInteractive: Code { .notInteractive }

    /// An error with a sentence for people.
    init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
