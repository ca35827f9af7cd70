import Security

func isPinned(_ trust: SecTrust, _ pin: Data) -> Bool {
    guard SecTrustEvaluateWithError(trust, nil),
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
        let leaf = chain.first
    else { return false }
    return SecCertificateCopyData(leaf) as Data == pin  // expect
}
