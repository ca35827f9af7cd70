/// What a certificate has to be good for: the value of `kSecMatchPolicy`.
package struct CertificatePolicy: Sendable, Hashable {
    /// What the certificate is to be used for.
    package enum Use: Sendable, Hashable, CaseIterable {
        /// Nothing in particular; but somebody has to vouch for it.
        case any
        /// Proving who a TLS server is.
        case tlsServer
        /// Proving who a TLS client is.
        case tlsClient
    }

    package let use: Use

    /// The host name or IP address that it has to stand for; nil for none.
    package let hostName: String?

    package init(_ use: Use, hostName: String? = nil) {
        self.use = use
        self.hostName = hostName
    }
}
