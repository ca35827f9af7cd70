import Security

func trustOwn(_ trust: SecTrust, _ root: SecCertificate) -> Bool {
    let status = SecTrustSetAnchorCertificates(trust, [root] as CFArray)
    let both = SecTrustSetAnchorCertificatesOnly(trust, false)
    return status == errSecSuccess && both == errSecSuccess
        && SecTrustEvaluateWithError(trust, nil)
}
