// ★ Table: the failures of an authentication, and the status of each.

/// The failures of an authentication, by Apple's `LAError` numbers.
///
/// - Source: requirements BIO-11, BIO-13.
package enum AuthenticationFailure: Int, Error, CaseIterable, Sendable, Hashable {
    case authenticationFailed = -1
    case userCancel = -2
    case userFallback = -3
    case systemCancel = -4
    case passcodeNotSet = -5
    case biometryNotAvailable = -6
    case biometryNotEnrolled = -7
    case biometryLockout = -8
    case appCancel = -9
    case invalidContext = -10
    case companionNotAvailable = -11
    case biometryNotPaired = -12
    case biometryDisconnected = -13
    case invalidDimensions = -14
    case notInteractive = -1004

    /// The error domain of the numbers.
    package static let domain = "com.apple.LocalAuthentication"

    /// The status of a keychain call with this failure.
    ///
    /// Canceling and a missing prompt have statuses of their own; everything else is a failed
    /// authentication.
    package var status: SecurityStatus {
        switch self {
        case .userCancel: .userCanceled
        case .notInteractive: .interactionNotAllowed
        case .invalidDimensions: .param
        default: .authFailed
        }
    }

    /// The reason for people.
    package var sentence: String {
        switch self {
        case .authenticationFailed:
            "the passcode, fingerprint or password was wrong or missing; try again"
        case .userCancel: "the user canceled the prompt"
        case .userFallback: "the user chose another way to authenticate, and the item allows none"
        case .systemCancel: "the device locked during the prompt; unlock it and try again"
        case .passcodeNotSet: "the item needs a passcode, and none is set"
        case .biometryNotAvailable: "no sensor for faces or fingerprints is available"
        case .biometryNotEnrolled: "no face or finger is enrolled; enroll one first"
        case .biometryLockout:
            "biometry is blocked after too many failures; enter the passcode first"
        case .appCancel: "the program invalidated its LAContext during the prompt"
        case .invalidContext: "this LAContext was invalidated; make a new one"
        case .companionNotAvailable: "no paired device is nearby"
        case .biometryNotPaired: "the sensor is not paired"
        case .biometryDisconnected: "the sensor is not connected"
        case .invalidDimensions: "the prompt has no usable size"
        case .notInteractive: "this needs a prompt, and the program cannot show one"
        }
    }
}

extension KeychainError {
    /// Converts the failure to the error of a call.
    package init(_ failure: AuthenticationFailure, _ detail: String? = nil) {
        self.init(
            failure.status,
            detail ?? failure.sentence,
            cause: .failure(failure)
        )
    }
}
