import Security

func trustOwn(_ trust: SecTrust, _ root: SecCertificate) -> Bool {
    let status = SecTrustSetAnchorCertificates(trust, [root] as CFArray)  // expect
    return status == errSecSuccess && SecTrustEvaluateWithError(trust, nil)
}
