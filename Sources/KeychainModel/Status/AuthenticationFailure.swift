// ★ Table: why nobody was authenticated, and the status that it becomes.

/// Why a person was not authenticated, by Apple's `LAError` numbers.
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

    /// What a call to the keychain returns for it: cancel and "no prompt" have statuses of their
    /// own, everything else is a failed authentication.
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
        case .authenticationFailed: "the proof was wrong or missing"
        case .userCancel: "the person canceled"
        case .userFallback: "the person chose another way, and there is none"
        case .systemCancel: "the device was locked while the prompt was shown"
        case .passcodeNotSet: "no passcode is set"
        case .biometryNotAvailable: "no face or finger can be recognized now"
        case .biometryNotEnrolled: "no face or finger is enrolled"
        case .biometryLockout: "the passcode has to be entered before biometry works again"
        case .appCancel: "the program invalidated its context"
        case .invalidContext: "the context was invalidated before"
        case .companionNotAvailable: "no paired device is nearby"
        case .biometryNotPaired: "the sensor is not paired"
        case .biometryDisconnected: "the sensor is not connected"
        case .invalidDimensions: "the prompt would have no usable size"
        case .notInteractive: "a prompt is needed, and none can be shown"
        }
    }
}

extension KeychainError {
    /// The failure as the error of a call.
    package init(_ failure: AuthenticationFailure, _ detail: String? = nil) {
        self.init(
            failure.status,
            detail ?? failure.sentence,
            cause: .failure(failure)
        )
    }
}
