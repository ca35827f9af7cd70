import Security
import TestSupport
import Testing

@Suite struct `A trust object` {
    private static func make(_ certificates: AnyObject, _ policies: AnyObject?) -> OSStatus {
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(certificates, policies, &trust)
        #expect((trust != nil) == (status == errSecSuccess))
        return status
    }

    @Test func `is made of one certificate or several`() throws {
        let certificate = Certificates.server.certificate
        #expect(Self.make(certificate, nil) == errSecSuccess)
        #expect(Self.make([certificate] as NSArray, SecPolicyCreateBasicX509()) == errSecSuccess)
        let policies = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil)]
        #expect(Self.make(certificate, policies as NSArray) == errSecSuccess)
    }

    @Test func `is made of nothing else`() throws {
        let certificate = Certificates.server.certificate
        let certificates: [AnyObject] = [
            NSArray(), ["text"] as NSArray, [certificate, "text"] as NSArray,
            Certificates.server.data as NSData,
        ]
        let withoutPolicies = certificates.map { Self.make($0, nil) }
        #expect(withoutPolicies == [errSecParam, errSecParam, errSecParam, errSecParam])
        let policies: [AnyObject] = [certificate, "text" as NSString, [certificate] as NSArray]
        let withPolicies = policies.map { Self.make(certificate, $0) }
        #expect(withPolicies == [errSecParam, errSecParam, errSecParam])
    }

    @Test func `hands over its chain one by one, and the key in question`() throws {
        let trust = try Question().trust()
        #expect(trust.answer().status == errSecSuccess)
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        let count = SecTrustGetCertificateCount(trust)
        let found = (0..<count).map { Deprecated.trust.certificate(of: trust, at: $0) }
        #expect(count == 3 && found == chain)
        let beyond = [-1, count, Int.max].map { Deprecated.trust.certificate(of: trust, at: $0) }
        #expect(beyond == [nil, nil, nil])
        let key = Deprecated.trust.publicKey(of: trust)
        #expect(key != nil && key == SecCertificateCopyKey(Certificates.server.certificate))
    }

    /// Nothing to check would be nothing to fail.
    @Test(.requirement("CRT-17"))
    func `has at least one policy`() throws {
        let certificate = Certificates.server.certificate
        #expect(Self.make(certificate, NSArray()) == errSecParam)
        let trust = try Question(anchors: []).trust()
        #expect(SecTrustSetPolicies(trust, NSArray()) == errSecParam)
        #expect(!SecTrustEvaluateWithError(trust, nil))
    }

    @Test(.requirement("CRT-17"))
    func `asks under every policy`() throws {
        let trust = try Question().trust()
        let names = ["server.example.com", "a.wild.example.com", "other.example.com"]
        let policies = names.map { SecPolicyCreateSSL(true, $0 as CFString) }
        #expect(SecTrustSetPolicies(trust, Array(policies.prefix(2)) as NSArray) == errSecSuccess)
        #expect(trust.answer().status == errSecSuccess)
        #expect(SecTrustSetPolicies(trust, policies as NSArray) == errSecSuccess)
        #expect(trust.answer().status == errSecHostNameMismatch)
        #expect(SecTrustSetPolicies(trust, "text" as NSString) == errSecParam)
    }

    @Test func `refuses anchors that are no certificates`() throws {
        let trust = try Question().trust()
        #expect(SecTrustSetAnchorCertificates(trust, ["text"] as NSArray) == errSecParam)
        #expect(trust.answer().status == errSecSuccess)
    }

    @Test func `has the chain from the certificate to the anchor`() throws {
        let trust = try Question().trust()
        #expect(SecTrustEvaluateWithError(trust, nil))
        let expected = [Certificates.server, Certificates.issuing, Certificates.root]
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        #expect(chain == expected.map { $0.certificate })
        #expect(SecTrustGetCertificateCount(trust) == 3)
        let key = SecCertificateCopyKey(Certificates.server.certificate)
        #expect(SecTrustCopyKey(trust) == key)
    }

    /// Every question about the chain evaluates first, and again after a change.
    @Test func `evaluates before it tells of its chain`() throws {
        let whole = try Question().trust()
        #expect(SecTrustGetCertificateCount(whole) == 3)
        #expect((SecTrustCopyCertificateChain(whole) as? [SecCertificate])?.count == 3)
        let strangers = Question(certificates: [Certificates.server, Certificates.bob])
        let broken = try strangers.trust()
        #expect((SecTrustCopyCertificateChain(broken) as? [SecCertificate])?.count == 1)
        #expect(SecTrustGetCertificateCount(broken) == 1)
        #expect(Deprecated.trust.certificate(of: broken, at: 1) == nil)
        let leaf = Deprecated.trust.certificate(of: broken, at: 0)
        #expect(leaf == Certificates.server.certificate)
        let other = [Certificates.issuing.certificate] as CFArray
        #expect(SecTrustSetAnchorCertificates(broken, other) == errSecSuccess)
        #expect(SecTrustGetCertificateCount(broken) == 2)
        #expect(SecTrustCopyKey(try strangers.trust()) == SecTrustCopyKey(whole))
    }

    @Test func `leaves strangers out of the chain`() throws {
        let mixed = [
            Certificates.server, Certificates.bob, Certificates.otherRoot, Certificates.issuing,
        ]
        let trust = try Question(certificates: mixed).trust()
        #expect(SecTrustEvaluateWithError(trust, nil))
        #expect(SecTrustGetCertificateCount(trust) == 3)
    }

    /// Dates that no certificate can be valid on.
    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e18, -1e18])
    func `refuses trust on an impossible date`(seconds: Double) throws {
        let trust = try Question().trust()
        let date = NSDate(timeIntervalSinceReferenceDate: seconds)
        #expect(SecTrustSetVerifyDate(trust, date) == errSecSuccess)
        #expect(trust.answer().status != errSecSuccess)
    }

    @Test func `is equal to itself alone, while policies are equal by value`() throws {
        let trust = try Question().trust()
        let other = try Question().trust()
        #expect(trust == trust && trust != other)
        let name = "server.example.com" as CFString
        #expect(SecPolicyCreateSSL(true, name) == SecPolicyCreateSSL(true, name))
        #expect(SecPolicyCreateSSL(true, name) != SecPolicyCreateSSL(true, nil))
        #expect(SecPolicyCreateSSL(false, name) == SecPolicyCreateSSL(false, nil))
        #expect(SecPolicyCreateBasicX509() != SecPolicyCreateSSL(true, nil))
        #expect(CFGetTypeID(trust) == SecTrustGetTypeID())
        #expect(CFGetTypeID(SecPolicyCreateBasicX509()) == SecPolicyGetTypeID())
    }
}

@Suite struct `The system's roots` {
    /// Where Debian keeps them.
    private static let path = "/etc/ssl/certs/ca-certificates.crt"

    /// The first root there.
    private static func root() throws -> SecCertificate {
        let pem = try String(contentsOfFile: path, encoding: .utf8)
        let begin = try #require(pem.range(of: "-----BEGIN CERTIFICATE-----"))
        let end = try #require(pem.range(of: "-----END CERTIFICATE-----"))
        let base64 = String(pem[begin.upperBound..<end.lowerBound])
        let der = try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
        return try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    private static func trust() throws -> SecTrust {
        let root = try root()
        var trust: SecTrust?
        SecTrustCreateWithCertificates(root, nil, &trust)
        let made = try #require(trust)
        let start = try #require(SecCertificateCopyNotValidBeforeDate(root)) as Date
        SecTrustSetVerifyDate(made, start.addingTimeInterval(86_400) as CFDate)
        return made
    }

    @Test(
        .requirement("CRT-17"),
        .enabled(if: FileManager.default.fileExists(atPath: path))
    )
    func `are anchors until others are given, and then on request`() throws {
        let trust = try Self.trust()
        #expect(trust.answer().status == errSecSuccess)
        let others = [Certificates.root.certificate] as CFArray
        #expect(SecTrustSetAnchorCertificates(trust, others) == errSecSuccess)
        #expect(trust.answer().status == errSecNotTrusted)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess)
        #expect(trust.answer().status == errSecSuccess)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        #expect(trust.answer().status == errSecNotTrusted)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(trust.answer().status == errSecSuccess)
    }
}
