import Secrets

/// The keys and certificates of a PKCS#12 file (RFC 7292).
package struct PKCS12Archive: Sendable {
    /// A private key, with its number and name in the file.
    package struct KeyEntry: Sendable {
        /// The key.
        package let privateKey: PrivateKey
        /// The number that ties it to its certificate.
        package let localKeyID: [UInt8]?
        /// The name for people.
        package let friendlyName: String?

        /// Describes a key.
        package init(
            privateKey: PrivateKey,
            localKeyID: [UInt8]? = nil,
            friendlyName: String? = nil
        ) {
            self.privateKey = privateKey
            self.localKeyID = localKeyID
            self.friendlyName = friendlyName
        }
    }

    /// A certificate, with its number and name in the file.
    package struct CertificateEntry: Sendable {
        /// The certificate.
        package let certificate: Certificate
        /// The number that ties it to its key.
        package let localKeyID: [UInt8]?
        /// The name for people.
        package let friendlyName: String?

        /// Describes a certificate.
        package init(
            certificate: Certificate,
            localKeyID: [UInt8]? = nil,
            friendlyName: String? = nil
        ) {
            self.certificate = certificate
            self.localKeyID = localKeyID
            self.friendlyName = friendlyName
        }
    }

    /// A key and the certificate that belongs to it.
    package struct Identity: Sendable {
        /// The private half.
        package let key: KeyEntry
        /// The certificate of the public half.
        package let certificate: CertificateEntry
    }

    /// The private keys, in the file's order.
    package let keys: [KeyEntry]

    /// The certificates, in the file's order.
    package let certificates: [CertificateEntry]

    /// Combines keys and certificates for writing.
    package init(keys: [KeyEntry], certificates: [CertificateEntry]) {
        self.keys = keys
        self.certificates = certificates
    }

    /// Reads a file.
    ///
    /// Old files under RC2 and triple DES are read like new ones under AES.
    ///
    /// - Parameters:
    ///   - der: The whole file; nothing may follow.
    ///   - password: UTF-8. An empty one opens files made with an empty password and files made
    ///     without one.
    /// - Throws: `PKCS12Error`.
    package init(
        parsing der: [UInt8],
        password: borrowing Secret
    ) throws(PKCS12Error) {
        let contents = try PKCS12Reader(der).read(password)
        self.init(keys: contents.keys, certificates: contents.certificates)
    }

    /// Writes a file with AES-256 under PBKDF2 with HMAC-SHA-256, and a MAC with SHA-256.
    ///
    /// - Parameter password: UTF-8; an empty one gives no protection.
    /// - Returns: The whole file.
    /// - Throws: `backend`.
    package func serialized(password: borrowing Secret) throws(PKCS12Error) -> [UInt8] {
        try PKCS12Writer(archive: self).write(password)
    }

    /// Each key with its certificate; keys without one are omitted.
    ///
    /// Among the certificates of the key's public half, the one with the same local key id is
    /// preferred, then the one with the same friendly name, then the first.
    package var identities: [Identity] {
        keys.compactMap { key in
            certificate(for: key).map { Identity(key: key, certificate: $0) }
        }
    }

    private func certificate(for key: KeyEntry) -> CertificateEntry? {
        let fitting = certificates.filter { entry in
            entry.certificate.publicKey == key.privateKey.publicKey
        }
        return fitting.first { $0.localKeyID != nil && $0.localKeyID == key.localKeyID }
            ?? fitting.first { $0.friendlyName != nil && $0.friendlyName == key.friendlyName }
            ?? fitting.first
    }
}
