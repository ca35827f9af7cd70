import LocalAuthentication
import TestSupport
import Testing

@Suite struct `The constants of LAError` {
    @Test(arguments: [
        (kLAErrorAuthenticationFailed, LAError.Code.authenticationFailed),
        (kLAErrorUserCancel, .userCancel), (kLAErrorUserFallback, .userFallback),
        (kLAErrorSystemCancel, .systemCancel), (kLAErrorPasscodeNotSet, .passcodeNotSet),
        (kLAErrorBiometryNotAvailable, .biometryNotAvailable),
        (kLAErrorTouchIDNotEnrolled, .biometryNotEnrolled),
        (kLAErrorBiometryLockout, .biometryLockout), (kLAErrorAppCancel, .appCancel),
        (kLAErrorInvalidContext, .invalidContext), (kLAErrorNotInteractive, .notInteractive),
    ])
    func `have the numbers of its codes`(number: Int32, code: LAError.Code) {
        #expect(Int(number) == code.rawValue)
    }
}
