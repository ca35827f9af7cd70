import Foundation
import LocalAuthentication

/// The way on for a user whose face or finger does not help at the moment.
///
/// The result decides which screen comes next. It unlocks nothing: the keychain releases a secret
/// only to a read with its own prompt.
struct BiometryFallback {
    enum Step: Equatable {
        /// Read the item; the system will prompt.
        case askForBiometry
        /// Read an item that the passcode opens, too.
        case askForPasscode
        /// This device can prove nothing. Offer the password of the account.
        case signIn
    }

    func nextStep(_ context: LAContext = LAContext()) -> Step {
        var error: NSError?
        if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) {
            return .askForBiometry
        }
        switch error.flatMap({ LAError.Code(rawValue: $0.code) }) {
        case .biometryLockout?, .biometryNotEnrolled?, .biometryNotAvailable?:
            let policy = LAPolicy.deviceOwnerAuthentication
            return context.canEvaluatePolicy(policy, error: nil) ? .askForPasscode : .signIn
        default:
            return .signIn
        }
    }
}
