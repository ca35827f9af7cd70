import LocalAuthentication

func context() -> LAContext {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = 60 * 60  // expect
    return context
}
