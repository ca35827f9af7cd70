import Cryptography
import KeychainModel

extension Certificate {
    /// The attributes under which the certificate is stored.
    ///
    /// - Source: requirement CRT-02.
    package var itemAttributes: AttributeValues {
        var attributes: AttributeValues = [
            .certificateType: .number(Int64(version)),
            // DER.
            .certificateEncoding: .number(3),
            .subject: .data(subject.normalizedContent),
            .issuer: .data(issuer.normalizedContent),
            .serialNumber: .data(serialNumber),
            .publicKeyHash: .data(publicKeyHash),
        ]
        if let identifier = subjectKeyIdentifier {
            attributes[.subjectKeyID] = .data(identifier)
        }
        return attributes
    }
}
