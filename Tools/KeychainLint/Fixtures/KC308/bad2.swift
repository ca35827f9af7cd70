import LocalAuthentication

func context() -> LAContext {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration  // expect
    return context
}
