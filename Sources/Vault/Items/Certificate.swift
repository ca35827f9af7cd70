public import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A certificate, as a value.
///
/// ```swift
/// let root = try Certificate(der: bytes, label: "Example root")
/// try vault.save(root)
/// ```
public struct Certificate: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The certificate's bytes, in DER.
    public let der: Data
    /// The name that lists show to the user; nil lets the keychain choose one.
    public let label: String?
    /// The certificate's subject in a few words; empty if it is unknown.
    public let summary: String
    private let issuer: Data
    private let serialNumber: Data

    /// Creates a certificate from its bytes; nothing is stored yet.
    ///
    /// - Throws: ``VaultError`` with the reason ``VaultError/Reason/undecodable`` if the bytes are
    ///   no certificate.
    public init(der: Data, label: String? = nil) throws(VaultError) {
        guard let certificate = SecCertificateCreateWithData(kCFAllocatorDefault, der as CFData),
            let issuer = SecCertificateCopyNormalizedIssuerSequence(certificate),
            let serialNumber = SecCertificateCopySerialNumberData(certificate, nil)
        else { throw VaultError(errSecDecode, .read, .certificate, label) }
        self.der = der
        self.label = label
        self.issuer = issuer as Data
        self.serialNumber = serialNumber as Data
        let summary = SecCertificateCopySubjectSummary(certificate)
        self.summary = summary.map { $0 as String } ?? ""
    }

    /// The kind and the summary, such as `certificate Example root`.
    public var description: String { address.description }

    /// The issuer and the serial number, which no two certificates share.
    public var address: ItemName {
        ItemName(
            .certificate,
            [kSecAttrIssuer: .bytes(issuer), kSecAttrSerialNumber: .bytes(serialNumber)],
            isSynced: false,
            summary
        )
    }
}

extension Certificate: ListedItem {
    /// The kind, ``ItemSort/certificate``.
    public static var sort: ItemSort { .certificate }

    /// Creates the value of a listed certificate.
    public init?(_ attributes: ListedAttributes) {
        guard let der = attributes.data(kSecValueData),
            let certificate = try? Certificate(der: der, label: attributes.text(kSecAttrLabel))
        else { return nil }
        self = certificate
    }
}

/// A certificate with its private key, which proves who the program is.
///
/// ```swift
/// let identity = try vault.importIdentities(pkcs12: file, passphrase: passphrase)[0]
/// let signature = try identity.privateKey.signature(for: challenge)
/// ```
///
/// The value is `@unchecked Sendable` because a `SecIdentity` never changes.
public struct Identity: @unchecked Sendable, CustomStringConvertible {
    let identity: SecIdentity
    /// The certificate.
    public let certificate: Certificate
    /// The private key that belongs to it.
    public let privateKey: PrivateKey

    init(_ identity: SecIdentity) throws(VaultError) {
        var certificate: SecCertificate?
        var key: SecKey?
        var status = SecIdentityCopyCertificate(identity, &certificate)
        if status == errSecSuccess { status = SecIdentityCopyPrivateKey(identity, &key) }
        guard status == errSecSuccess, let certificate, let key else {
            throw VaultError(status, .read, .identity, nil)
        }
        self.identity = identity
        self.certificate = try Certificate(der: SecCertificateCopyData(certificate) as Data)
        privateKey = PrivateKey(key: key, item: "identity \(self.certificate.summary)")
    }

    /// The kind and the summary of the certificate.
    public var description: String { "identity \(ItemName.line(certificate.summary))" }
}
