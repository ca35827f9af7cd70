import Security

func isTrusted(_ trust: SecTrust) -> Bool {
    var error: CFError?
    return SecTrustEvaluateWithError(trust, &error)
}
