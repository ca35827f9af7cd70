/// The format in which an export writes its items.
enum ExportFormat: String, CaseIterable {
    /// One key in the oldest form that OpenSSL has for it: PKCS#1, SEC1 or PKCS#8; public keys as
    /// SubjectPublicKeyInfo.
    case openssl
    /// One private key as PKCS#8.
    case pkcs8
    /// Private keys and certificates in one file under a passphrase.
    case pkcs12
    /// Any number of items, each a block of PEM.
    case pemseq
    /// One certificate in DER.
    case x509

    /// Returns the default format of the items, as on macOS.
    static func `default`(for items: ExportedItems) -> ExportFormat {
        guard items.count == 1 else { return .pemseq }
        return items.keys.isEmpty ? .x509 : .openssl
    }
}
