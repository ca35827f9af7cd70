/// The requirements on a certificate: the value of `kSecMatchPolicy`.
package struct CertificatePolicy: Sendable, Hashable {
    /// The purpose of the certificate.
    package enum Use: Sendable, Hashable, CaseIterable {
        /// No particular purpose, but a trusted chain.
        case any
        /// Authenticating a TLS server.
        case tlsServer
        /// Authenticating a TLS client.
        case tlsClient
    }

    package let use: Use

    /// The host name or IP address that the certificate has to contain; nil for none.
    package let hostName: String?

    package init(_ use: Use, hostName: String? = nil) {
        self.use = use
        self.hostName = hostName
    }
}
