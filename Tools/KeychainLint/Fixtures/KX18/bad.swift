import Security

func isTrusted(_ trust: SecTrust) -> Bool {
    var result = SecTrustResultType.invalid
    let status = SecTrustEvaluate(trust, &result)  // expect
    return status == errSecSuccess && result == .proceed
}
