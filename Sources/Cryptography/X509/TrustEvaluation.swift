/// The input of a decision whether to trust a certificate.
package struct TrustEvaluation: Sendable {
    /// The intended use of the certificate.
    package enum Purpose: Sendable, Hashable, CaseIterable {
        /// No particular use.
        case any
        /// Identifying a TLS server; keys and signatures must offer 112 bits of security.
        case tlsServer
        /// Identifying a TLS client; keys and signatures must offer 112 bits of security.
        case tlsClient
        /// Signing code; the certificate names this use, or any.
        case codeSigning
    }

    /// The certificate to evaluate.
    package var leaf: Certificate

    /// Certificates that may connect it to an anchor; they are not trusted themselves.
    package var intermediates: [Certificate]

    /// Certificates that are trusted directly, roots or not.
    package var anchors: [Certificate]

    /// Whether the roots that this system trusts are anchors as well.
    package var includesSystemAnchors: Bool

    /// The places of the roots of this system.
    package var systemAnchors = SystemAnchors()

    /// The intended use of the certificate.
    package var purpose: Purpose

    /// The host name or IP address that the certificate must contain; `nil` for none.
    package var hostName: String?

    /// The moment at which it must be valid, in seconds since 2001-01-01 00:00:00 UTC.
    ///
    /// Any number is a moment; far beyond the calendar no certificate is valid.
    ///
    /// libcrypto lets a certificate expire with the start of its last second.
    package var date: Int64

    /// Creates the input for a certificate.
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
    /// A TLS server's certificate must also comply with `TLSServerRules`.
    ///
    /// - Returns: The result, which is valid only for the given date.
    /// - Throws: `backend` if the check itself cannot be performed.
    package func evaluate() throws(CryptographyError) -> TrustResult {
        let result = try standardResult()
        guard purpose == .tlsServer else { return result }
        let rules = TLSServerRules(chain: result.chain, systemAnchors: systemAnchors)
        return TrustResult(
            chain: result.chain,
            failure: TrustFailure.graver(result.failure, try rules.failure())
        )
    }

    /// Checks only the leaf, with any issuer: its use, its names, its dates and its key.
    ///
    /// - Returns: The result, which is valid only for the given date.
    /// - Throws: `backend` if the check itself cannot be performed.
    package func evaluateLeaf() throws(CryptographyError) -> TrustResult {
        var question = self
        question.anchors = [leaf]
        question.includesSystemAnchors = false
        return try question.standardResult()
    }

    /// Returns the result by the standards only.
    private func standardResult() throws(CryptographyError) -> TrustResult {
        guard let hostName else { return try verify(host: nil) }
        // libcrypto reads an empty name as "any host" and a leading dot as "any subdomain".
        let host = hostName.hasSuffix(".") ? String(hostName.dropLast()) : hostName
        guard !host.isEmpty, !host.hasPrefix("."), !host.unicodeScalars.contains("\0") else {
            return TrustResult(chain: [leaf], failure: TrustFailure(.hostNameMismatch, depth: 0))
        }
        return try verify(host: host)
    }
}
