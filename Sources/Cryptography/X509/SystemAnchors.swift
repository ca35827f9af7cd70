/// The roots that this system trusts, and the places of those that administrators added.
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

    /// Creates a value with the usual places.
    package init() {}

    /// Creates a value with other places.
    package init(file: String, addedBelow: [String]) {
        self.file = file
        self.addedBelow = addedBelow
    }

    /// Whether this system trusts a certificate directly.
    ///
    /// - Throws: `backend` if the check itself cannot be performed.
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
