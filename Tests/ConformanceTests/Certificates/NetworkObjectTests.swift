import Security
import TestSupport
import Testing

/// The deprecated names, called without the warnings that client code gets.
private protocol CertificateKeys {
    static func key(of certificate: SecCertificate, _ key: inout SecKey?) -> OSStatus
    static func key(of certificate: SecCertificate) -> SecKey?
}

private enum Old {
    static var keys: any CertificateKeys.Type { Names.self }

    private enum Names: CertificateKeys {
        @available(*, deprecated)
        static func key(of certificate: SecCertificate, _ key: inout SecKey?) -> OSStatus {
            SecCertificateCopyPublicKey(certificate, &key)
        }

        @available(*, deprecated)
        static func key(of certificate: SecCertificate) -> SecKey? {
            SecCertificateCopyPublicKey(certificate)
        }
    }
}

@Suite struct `An object for Network's functions` {
    @Test func `holds an identity, and its certificates`() throws {
        let identity = Person.ada.identity
        let made = try #require(sec_identity_create(identity))
        #expect(sec_identity_copy_ref(made)?.takeRetainedValue() == identity)
        #expect(sec_identity_copy_certificates_ref(made) == nil)
        let chain = [Certificates.issuing.certificate] as CFArray
        let whole = try #require(sec_identity_create_with_certificates(identity, chain))
        let found = sec_identity_copy_certificates_ref(whole)?.takeRetainedValue()
        #expect(found as? [SecCertificate] == [Certificates.issuing.certificate])
        #expect(sec_identity_create_with_certificates(identity, ["x"] as CFArray) == nil)
    }

    @Test func `holds a certificate or a question`() throws {
        let certificate = Certificates.server.certificate
        let object = try #require(sec_certificate_create(certificate))
        #expect(sec_certificate_copy_ref(object).takeRetainedValue() == certificate)
        let trust = try Question().trust()
        let question = try #require(sec_trust_create(trust))
        #expect(sec_trust_copy_ref(question).takeRetainedValue() == trust)
    }
}

@Suite struct `The older names of a certificate's key` {
    @Test func `give the same key`() throws {
        let certificate = Certificates.server.certificate
        var key: SecKey?
        #expect(Old.keys.key(of: certificate, &key) == errSecSuccess)
        #expect(key != nil && key == SecCertificateCopyKey(certificate))
        #expect(Old.keys.key(of: certificate) == key)
    }
}
