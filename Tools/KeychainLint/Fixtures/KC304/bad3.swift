import LocalAuthentication

final class SignInModel {
    func start(_ session: Session) {
        let context = LAContext()
        context.evaluatePolicy(  // expect
            .deviceOwnerAuthenticationWithBiometrics,
            localizedReason: "Sign in"
        ) { success, _ in
            if success {
                session.token = SessionKeychain.storedToken
                session.isLoggedIn = true
            }
        }
    }
}
