/// Everything that decides whether a certificate may be trusted.
package struct TrustEvaluation: Sendable {
    /// What the certificate is to be used for.
    package enum Purpose: Sendable, Hashable, CaseIterable {
        /// Nothing in particular.
        case any
        /// Proving who a TLS server is; keys and signatures must offer 112 bits of security.
        case tlsServer
        /// Proving who a TLS client is; keys and signatures must offer 112 bits of security.
        case tlsClient
        /// Signing code; the certificate names this use, or any.
        case codeSigning
    }

    /// The certificate in question.
    package var leaf: Certificate

    /// Certificates that may connect it to an anchor; they are not trusted themselves.
    package var intermediates: [Certificate]

    /// Certificates that are trusted as they are, roots or not.
    package var anchors: [Certificate]

    /// Whether the roots that this system trusts are anchors as well.
    package var includesSystemAnchors: Bool

    /// Where the roots of this system are.
    package var systemAnchors = SystemAnchors()

    /// What the certificate is to be used for.
    package var purpose: Purpose

    /// The host name or IP address it has to stand for; `nil` for none.
    package var hostName: String?

    /// The moment it has to be valid at, in seconds since 2001-01-01 00:00:00 UTC.
    ///
    /// Any number is a moment; far beyond the calendar nothing is valid.
    ///
    /// libcrypto lets a certificate expire with the start of its last second.
    package var date: Int64

    /// Asks about a certificate.
    package init(
        leaf: Certificate,
        intermediates: [Certificate] = [],
        anchors: [Certificate] = [],
        includesSystemAnchors: Bool,
        purpose: Purpose = .any,
        hostName: String? = nil,
        date: Int64
    ) {
        self.leaf = leaf
        self.intermediates = intermediates
        self.anchors = anchors
        self.includesSystemAnchors = includesSystemAnchors
        self.purpose = purpose
        self.hostName = hostName
        self.date = date
    }

    /// Builds a chain and checks it, but not for revocation (RFC 5280 §6).
    ///
    /// A TLS server's certificate has to keep to the rules of `TLSServerRules`, too.
    /// - Returns: What was found; it holds for the given date only.
    /// - Throws: `backend` when the check itself cannot be done.
    package func evaluate() throws(CryptographyError) -> TrustResult {
        let result = try standardResult()
        guard purpose == .tlsServer else { return result }
        let rules = TLSServerRules(chain: result.chain, systemAnchors: systemAnchors)
        return TrustResult(
            chain: result.chain,
            failure: TrustFailure.graver(result.failure, try rules.failure())
        )
    }

    /// Checks the leaf by itself, whoever issued it: its use, its names, its dates and its key.
    ///
    /// - Returns: What was found; it holds for the given date only.
    /// - Throws: `backend` when the check itself cannot be done.
    package func evaluateLeaf() throws(CryptographyError) -> TrustResult {
        var question = self
        question.anchors = [leaf]
        question.includesSystemAnchors = false
        return try question.standardResult()
    }

    /// What the standards alone say.
    private func standardResult() throws(CryptographyError) -> TrustResult {
        guard let hostName else { return try verify(host: nil) }
        // libcrypto takes an empty name for "any host" and a dot in front for "any below".
        let host = hostName.hasSuffix(".") ? String(hostName.dropLast()) : hostName
        guard !host.isEmpty, !host.hasPrefix("."), !host.unicodeScalars.contains("\0") else {
            return TrustResult(chain: [leaf], failure: TrustFailure(.hostNameMismatch, depth: 0))
        }
        return try verify(host: host)
    }
}
