import Cryptography
import KeychainModel

/// A certificate and its private key, as a reference to an identity stands for them.
package struct IdentityReference: Sendable {
    /// Whom the key stands for.
    package let certificate: Certificate

    /// The private half of the certified key.
    package let privateKey: KeyReference

    /// Takes halves that are known to belong together.
    package init(_ certificate: Certificate, _ privateKey: KeyReference) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// Puts halves together; nil when the key is not the one that the certificate is about.
    package init?(matching certificate: Certificate, _ privateKey: KeyReference) {
        guard privateKey.isPrivate, privateKey.publicKey == certificate.publicKey else {
            return nil
        }
        self.init(certificate, privateKey)
    }

    /// The halves of a stored item; nil when they are none or do not belong together.
    package init?(stored item: ReferencedItem) {
        guard let der = item.certificate?.secret.copyBytesUnprotected(),
            let certificate = try? Certificate(der: der), let key = KeyReference(stored: item)
        else { return nil }
        self.init(matching: certificate, key)
    }
}
