import LocalAuthentication

func context() -> LAContext {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration =  // expect
        LATouchIDAuthenticationMaximumAllowableReuseDuration
    return context
}
