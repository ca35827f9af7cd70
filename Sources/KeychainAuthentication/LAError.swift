import CoreFoundation
import KeychainModel

/// The domain of `LAError`.
public let LAErrorDomain = AuthenticationFailure.domain

/// The reason why the user was not authenticated.
///
/// ```swift
/// do {
///     try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Pay")
/// } catch LAError.userCancel {
///     return
/// }
/// ```
public struct LAError: _ImportedError {
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
    /// The device has no usable finger sensor.
    @available(*, deprecated, renamed: "biometryNotAvailable")
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// No finger is enrolled.
    @available(*, deprecated, renamed: "biometryNotEnrolled")
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// Too many attempts with a finger failed.
    @available(*, deprecated, renamed: "biometryLockout")
    public static var touchIDLockout: Code { .biometryLockout }

    /// Creates an error with a sentence for people.
    init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
