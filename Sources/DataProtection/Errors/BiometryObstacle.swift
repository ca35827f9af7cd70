import KeychainModel

/// The reasons why a face or finger cannot be recognized.
package enum BiometryObstacle: Sendable, Hashable, CaseIterable {
    /// No passcode is set, and biometry only replaces one.
    case noPasscode
    /// There is no enrolment.
    case notEnrolled
    /// Five matches in a row have failed, so the passcode is needed first.
    case lockedOut
    /// The passcode was not entered since the device started.
    case noToken

    /// The reason that programs receive.
    package var failure: AuthenticationFailure {
        switch self {
        case .noPasscode: .passcodeNotSet
        case .notEnrolled: .biometryNotEnrolled
        case .lockedOut, .noToken: .biometryLockout
        }
    }
}
