/// An X.509 certificate; reading it says nothing about whether to trust it.
package struct Certificate: Sendable {
    /// The bytes it was read from.
    package let der: [UInt8]

    /// The X.509 version, 1 to 3.
    package let version: Int

    /// The content of the serial number's INTEGER, leading zero kept.
    package let serialNumber: [UInt8]

    /// The name of the signer.
    package let issuer: DistinguishedName

    /// The name of the subject.
    package let subject: DistinguishedName

    /// The SubjectKeyIdentifier extension's value, if there is one.
    package let subjectKeyIdentifier: [UInt8]?

    /// The contents of the subjectPublicKey BIT STRING.
    package let publicKeyBits: [UInt8]

    /// SHA-1 of `publicKeyBits`, 20 bytes; equals the identity of the matching private key.
    package let publicKeyHash: [UInt8]

    /// The certified key; `nil` for an unknown kind.
    package let publicKey: PublicKey?

    /// The first second of its validity, counted from 2001-01-01 00:00:00 UTC.
    package let notBefore: Int64

    /// The last second of its validity, counted from 2001-01-01 00:00:00 UTC.
    package let notAfter: Int64

    /// The host names among the subject's alternative names.
    package let hostNames: [String]

    /// The e-mail addresses: the alternative names first, then those in the subject.
    package let emailAddresses: [String]

    /// libcrypto's form; `nil` if libcrypto cannot read a name in the certificate.
    ///
    /// For example, it cannot read a character that takes two units of a BMPString. Such a
    /// certificate is never trusted.
    let handle: CertificateHandle?

    /// Reads a certificate.
    ///
    /// An extension that is malformed in itself counts as absent.
    ///
    /// - Parameter der: One certificate in DER; nothing may follow. PEM is refused.
    /// - Throws: `invalidInput` for any other bytes; `backend`.
    package init(der: [UInt8]) throws(CryptographyError) {
        let fields = try CertificateFields(certificate: der)
        let (handle, validity) = try Self.handle(der)
        self.handle = handle
        self.der = der
        version = fields.version
        serialNumber = fields.serialNumber
        issuer = fields.issuer
        subject = fields.subject
        let info = fields.subjectPublicKeyInfo
        publicKeyBits = [UInt8](try PublicKey.splitSubjectPublicKeyInfo(info[...]).bits)
        publicKeyHash = try Digest.sha1(publicKeyBits)
        publicKey = Self.knownPublicKey(info)
        (notBefore, notAfter) = validity
        subjectKeyIdentifier = Self.subjectKeyIdentifier(fields.extensions)
        let names = Self.alternativeNames(fields.extensions)
        hostNames = names.hostNames
        emailAddresses = names.emailAddresses + subject.texts(of: ObjectIdentifier.emailAddress)
    }

    /// Whether subject and issuer are the same name, as in a root, regardless of the signature.
    package var isSelfIssued: Bool { subject.normalizedContent == issuer.normalizedContent }

    /// Whether another certificate's key signed this one, regardless of names and dates.
    package func isSigned(by issuer: Certificate) -> Bool {
        guard let handle, let issuer = issuer.handle else { return false }
        return handle.isSigned(by: issuer)
    }

    /// Returns libcrypto's form, and its period of validity.
    ///
    /// libcrypto decodes the names while it reads. If it cannot, it still checks the other fields.
    private static func handle(
        _ der: [UInt8]
    ) throws(CryptographyError) -> (CertificateHandle?, (notBefore: Int64, notAfter: Int64)) {
        do throws(CryptographyError) {
            let whole = try CertificateHandle(der: der)
            return (whole, try whole.validity())
        } catch {
            guard case .invalidInput = error else { throw error }
            let nameless = try CertificateHandle(der: try CertificateFields.withoutNames(der))
            return (nil, try nameless.validity())
        }
    }

    private static func knownPublicKey(_ info: [UInt8]) -> PublicKey? {
        do throws(CryptographyError) {
            return try PublicKey(subjectPublicKeyInfo: info)
        } catch {
            return nil
        }
    }

    private static func subjectKeyIdentifier(
        _ extensions: CertificateFields.Extensions
    ) -> [UInt8]? {
        guard let value = extensions[ObjectIdentifier.subjectKeyIdentifier] else { return nil }
        var reader = DERReader(value[...])
        do throws(CryptographyError) {
            let identifier = try reader.read(DERTag.octetString)
            try reader.finish()
            return [UInt8](identifier)
        } catch {
            return nil
        }
    }

    private static func alternativeNames(
        _ extensions: CertificateFields.Extensions
    ) -> SubjectAlternativeName {
        guard let value = extensions[ObjectIdentifier.subjectAlternativeName] else {
            return SubjectAlternativeName()
        }
        do throws(CryptographyError) {
            return try SubjectAlternativeName(value)
        } catch {
            return SubjectAlternativeName()
        }
    }
}

extension Certificate: Hashable {
    package static func == (first: Certificate, second: Certificate) -> Bool {
        first.der == second.der
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }
}
