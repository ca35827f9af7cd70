import LocalAuthentication

func open(_ done: @escaping (Bool) -> Void) {
    let context = LAContext()
    guard
        context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)  // expect
    else {
        return
    }
    context.evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics,
        localizedReason: "Open",
        reply: { ok, _ in done(ok) }
    )
}
