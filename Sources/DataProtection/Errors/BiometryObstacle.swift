import KeychainModel

/// What keeps a face or finger from being recognized.
package enum BiometryObstacle: Sendable, Hashable, CaseIterable {
    /// No passcode is set, and biometry stands in for one.
    case noPasscode
    /// Nobody is enrolled.
    case notEnrolled
    /// Five failures in a row: the passcode comes first.
    case lockedOut
    /// The passcode was not entered since the device started.
    case noToken

    /// The reason that a program is told.
    package var failure: AuthenticationFailure {
        switch self {
        case .noPasscode: .passcodeNotSet
        case .notEnrolled: .biometryNotEnrolled
        case .lockedOut, .noToken: .biometryLockout
        }
    }
}
