import Cryptography
import KeychainModel

/// A certificate and its private key, which a reference to an identity represents.
package struct IdentityReference: Sendable {
    /// The certificate of the key.
    package let certificate: Certificate

    /// The private half of the certified key.
    package let privateKey: KeyReference

    /// Creates an identity from halves that are known to match.
    package init(_ certificate: Certificate, _ privateKey: KeyReference) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Combines two halves; nil if the key is not the certified one.
    package init?(matching certificate: Certificate, _ privateKey: KeyReference) {
        guard privateKey.isPrivate, privateKey.publicKey == certificate.publicKey else {
            return nil
        }
        self.init(certificate, privateKey)
    }

    /// Reads the halves of a stored item; nil if they are invalid or do not match.
    package init?(stored item: ReferencedItem) {
        guard let der = item.certificate?.secret.copyBytesUnprotected(),
            let certificate = try? Certificate(der: der), let key = KeyReference(stored: item)
        else { return nil }
        self.init(matching: certificate, key)
    }
}
