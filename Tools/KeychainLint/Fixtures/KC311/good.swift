import LocalAuthentication

func open(_ done: @escaping (Result<Void, any Error>) -> Void) {
    let context = LAContext()
    var error: NSError?
    guard
        context.canEvaluatePolicy(
            .deviceOwnerAuthenticationWithBiometrics,
            error: &error
        )
    else {
        switch (error as? LAError)?.code {
        case .biometryLockout, .biometryNotEnrolled: askForPassword(done)
        default: done(.failure(error ?? LAError(.biometryNotAvailable)))
        }
        return
    }
    context.evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics,
        localizedReason: "Open",
        reply: { ok, error in
            done(ok ? .success(()) : .failure(error ?? LAError(.userCancel)))
        }
    )
}
