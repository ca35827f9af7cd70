import LocalAuthentication

func context() -> LAContext {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = 10
    return context
}
