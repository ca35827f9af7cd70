import Cryptography

extension FuzzTarget {
    /// A certificate: its fields are read, and trust in it is evaluated.
    static let certificate = FuzzTarget(name: "certificate") { bytes throws(BrokenLaw) in
        guard let certificate = try? Certificate(der: bytes) else { return .refused }
        try require(certificate.der == bytes, "a certificate keeps its bytes")
        try require(certificate.publicKeyHash.count == 20, "a key hash has 20 bytes")
        try require((1...3).contains(certificate.version), "a version is 1, 2 or 3")
        let texts =
            certificate.hostNames + certificate.emailAddresses
            + [certificate.subjectSummary ?? ""]
        try require(!texts.joined().unicodeScalars.contains("\0"), "no text hides its end")
        for name in [certificate.issuer, certificate.subject] {
            let content = name.normalizedContent
            let again = try? DistinguishedName.normalizedContent(ofNameOrContent: content)
            try require(again == content, "a normalized name stays as it is")
        }
        if let key = certificate.publicKey {
            let identity = try? key.identity()
            try require(
                identity == certificate.publicKeyHash,
                "key and certificate belong together"
            )
        }
        try checkTrust(certificate)
        return .accepted
    }

    private static func checkTrust(_ certificate: Certificate) throws(BrokenLaw) {
        _ = certificate.isSigned(by: certificate)
        let question = TrustEvaluation(
            leaf: certificate,
            anchors: [certificate],
            includesSystemAnchors: false,
            purpose: .tlsServer,
            hostName: certificate.hostNames.first ?? "example.com",
            date: certificate.notBefore
        )
        guard let result = try? question.evaluate() else { return }
        try require(result.chain.first == certificate, "a chain begins with the leaf")
    }
}
