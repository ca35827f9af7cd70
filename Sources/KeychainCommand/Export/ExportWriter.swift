import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// Writes items in a format.
struct ExportWriter {
    let format: ExportFormat
    /// Whether the output is PEM.
    let isArmored: Bool
    /// The passphrase that wraps private keys; nil writes them in the clear.
    let passphrase: SharedSecret?

    /// One document to write: its label in PEM, and its bytes.
    private typealias Document = (label: String, content: SharedSecret)

    /// Returns the whole output.
    ///
    /// - Throws: `CommandFailure.usage` if the format cannot contain the items.
    func page(of items: ExportedItems) throws(CommandFailure) -> Page {
        var page = Page()
        for document in try documents(of: items) {
            if isArmored || format == .pemseq {
                page.append(ByteRule.pem(document.label).secret(of: document.content.secret))
            } else {
                page.append(document.content.secret.duplicate())
            }
        }
        return page
    }

    private func documents(of items: ExportedItems) throws(CommandFailure) -> [Document] {
        switch format {
        case .pkcs12: return [("PKCS12", try archive(items))]
        case .x509:
            guard let only = items.certificates.first, items.count == 1 else {
                throw .usage("several certificates match, but x509 holds one: add -f pemseq")
            }
            return [Self.document(only.certificate)]
        case .openssl, .pkcs8:
            guard let only = items.keys.first?.key, items.count == 1 else {
                throw .usage("several keys match, but \(format.rawValue) holds one: add -f pemseq")
            }
            return [try document(only)]
        case .pemseq:
            var documents = items.certificates.map { Self.document($0.certificate) }
            for (key, _) in items.keys { documents.append(try document(key)) }
            return documents
        }
    }

    private static func document(_ certificate: Certificate) -> Document {
        ("CERTIFICATE", SharedSecret(Secret(copying: certificate.der)))
    }

    private func document(_ key: KeyReference) throws(CommandFailure) -> Document {
        guard case .privateKey(let privateKey) = key.material else {
            let info = key.publicKey.subjectPublicKeyInfo
            return ("PUBLIC KEY", SharedSecret(Secret(copying: info)))
        }
        if let passphrase { return try document(privateKey, under: passphrase) }
        do throws(CryptographyError) {
            switch (format, privateKey.kind) {
            case (.openssl, .rsa):
                return ("RSA PRIVATE KEY", SharedSecret(try privateKey.externalRepresentation()))
            case (.openssl, .ellipticCurve):
                return ("EC PRIVATE KEY", SharedSecret(try privateKey.ecPrivateKey()))
            default: return ("PRIVATE KEY", SharedSecret(try privateKey.pkcs8()))
            }
        } catch {
            throw .keychain(KeychainError(error))
        }
    }

    private func document(
        _ privateKey: PrivateKey,
        under passphrase: SharedSecret
    ) throws(CommandFailure) -> Document {
        let sealed = try CommandFailure.wrapping(
            try fromPKCS12(
                try EncryptedPrivateKey.seal(privateKey, password: passphrase.secret)
            )
        )
        return ("ENCRYPTED PRIVATE KEY", SharedSecret(Secret(copying: sealed)))
    }

    /// Returns a PKCS#12 file, in which a key has the number of its certificate.
    private func archive(_ items: ExportedItems) throws(CommandFailure) -> SharedSecret {
        guard let passphrase else {
            throw .usage("missing option: -P passphrase, which pkcs12 needs")
        }
        var keys: [PKCS12Archive.KeyEntry] = []
        for (key, label) in items.keys {
            guard case .privateKey(let privateKey) = key.material else { continue }
            keys.append(
                .init(
                    privateKey: privateKey,
                    localKeyID: try identity(of: key),
                    friendlyName: label
                )
            )
        }
        let hashes = keys.map(\.localKeyID)
        let certificates = items.certificates.map { certificate, label in
            let hash = hashes.contains(certificate.publicKeyHash) ? certificate.publicKeyHash : nil
            return PKCS12Archive.CertificateEntry(
                certificate: certificate,
                localKeyID: hash,
                friendlyName: label
            )
        }
        let archive = PKCS12Archive(keys: keys, certificates: certificates)
        let file = try CommandFailure.wrapping(
            try fromPKCS12(try archive.serialized(password: passphrase.secret))
        )
        return SharedSecret(Secret(copying: file))
    }

    private func identity(of key: KeyReference) throws(CommandFailure) -> [UInt8] {
        try CommandFailure.wrapping(try key.publicKeyHash())
    }
}
