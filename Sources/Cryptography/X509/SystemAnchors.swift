/// The roots that this system trusts, and which of them did not come with it.
package struct SystemAnchors: Sendable {
    /// A file with the roots in PEM, instead of the places that libcrypto knows.
    package var file: String?

    /// The directories into which administrators put roots of their own.
    ///
    /// - Source: the manual pages of update-ca-certificates (Debian, Alpine) and update-ca-trust
    ///   (Fedora, Arch).
    package var addedBelow = [
        "/usr/local/share/ca-certificates",
        "/etc/pki/ca-trust/source/anchors",
        "/etc/ca-certificates/trust-source/anchors",
    ]

    /// Names the usual places.
    package init() {}

    /// Names other places.
    package init(file: String, addedBelow: [String]) {
        self.file = file
        self.addedBelow = addedBelow
    }

    /// Tells whether this system trusts a certificate as it is.
    ///
    /// - Throws: `backend` when the check itself cannot be done.
    func contain(_ certificate: Certificate) throws(CryptographyError) -> Bool {
        var question = TrustEvaluation(
            leaf: certificate,
            includesSystemAnchors: true,
            date: certificate.notBefore
        )
        question.systemAnchors = self
        let result = try question.evaluate()
        return result.isTrusted && result.chain == [certificate]
    }
}
