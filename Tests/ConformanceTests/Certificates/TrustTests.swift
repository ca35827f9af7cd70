import Security
import TestSupport
import Testing

/// A question about a chain of the fixtures.
struct Question: Sendable, CustomTestStringConvertible {
    var testDescription = ""
    var certificates = [Certificates.server, Certificates.issuing]
    var anchors: [Fixture]? = [Certificates.root]
    var policy: @Sendable () -> SecPolicy = { SecPolicyCreateBasicX509() }
    /// As ISO 8601; nil for now.
    var date: String?
    /// `errSecSuccess` where the answer is yes.
    var expected: OSStatus = errSecSuccess

    func trust() throws -> SecTrust {
        var trust: SecTrust?
        let certificates = certificates.map { $0.certificate } as CFArray
        #expect(SecTrustCreateWithCertificates(certificates, policy(), &trust) == errSecSuccess)
        let made = try #require(trust)
        if let anchors {
            let trusted = anchors.map { $0.certificate } as CFArray
            #expect(SecTrustSetAnchorCertificates(made, trusted) == errSecSuccess)
        }
        if let date {
            let moment = try Date(date, strategy: .iso8601)
            #expect(SecTrustSetVerifyDate(made, moment as CFDate) == errSecSuccess)
        }
        return made
    }
}

extension SecTrust {
    /// The status of the answer, and what it says.
    func answer() -> (status: OSStatus, sentence: String) {
        var error: CFError?
        guard !SecTrustEvaluateWithError(self, &error) else { return (errSecSuccess, "") }
        let found = error.map { OSStatus(CFErrorGetCode($0)) } ?? errSecSuccess
        return (found, error?.localizedDescription ?? "")
    }
}

@Suite struct `Trust in a certificate` {
    private static func tls(_ host: String?) -> @Sendable () -> SecPolicy {
        { SecPolicyCreateSSL(true, host as CFString?) }
    }

    static let good = [
        Question(testDescription: "a chain to the anchor"),
        Question(testDescription: "the root among the certificates") {
            $0.certificates.append(Certificates.root)
        },
        Question(testDescription: "certificates in any order") {
            $0.certificates = [Certificates.server, Certificates.root, Certificates.issuing]
        },
        Question(testDescription: "an anchor that is no root") {
            $0.certificates = [Certificates.server]
            $0.anchors = [Certificates.issuing]
        },
        Question(testDescription: "several anchors") {
            $0.anchors = [Certificates.otherRoot, Certificates.root]
        },
        Question(testDescription: "a server") { $0.policy = tls(nil) },
        Question(testDescription: "the server's name") {
            $0.policy = tls("server.example.com")
        },
        Question(testDescription: "the name in other letters") {
            $0.policy = tls("SERVER.Example.com")
        },
        Question(testDescription: "the name with its dot") {
            $0.policy = tls("server.example.com.")
        },
        Question(testDescription: "a name under the asterisk") {
            $0.policy = tls("a.wild.example.com")
        },
        Question(testDescription: "the address") { $0.policy = tls("192.0.2.7") },
        Question(testDescription: "a client") {
            $0.certificates[0] = Certificates.ada
            $0.policy = { SecPolicyCreateSSL(false, nil) }
        },
        Question(testDescription: "an RSA key") { $0.certificates[0] = Certificates.bob },
        Question(testDescription: "its last day") { $0.date = "2119-12-31T23:59:59Z" },
        Question(testDescription: "a time when it was valid") {
            $0.certificates[0] = Certificates.future
            $0.date = "2105-01-01T00:00:00Z"
        },
    ]

    @Test(.requirement("CRT-17"), arguments: good)
    func `follows from`(question: Question) throws {
        let answer = try question.trust().answer()
        #expect(answer.status == errSecSuccess, "\(answer.sentence)")
    }

    static let bad = [
        Question(testDescription: "it has expired") {
            $0.certificates[0] = Certificates.expired
            $0.expected = errSecCertificateExpired
        },
        Question(testDescription: "it is not valid yet") {
            $0.certificates[0] = Certificates.future
            $0.expected = errSecCertificateNotValidYet
        },
        Question(testDescription: "it will have expired") {
            $0.date = "2120-01-01T00:00:01Z"
            $0.expected = errSecCertificateExpired
        },
        Question(testDescription: "it was not valid then") {
            $0.date = "2019-12-31T23:59:59Z"
            $0.expected = errSecCertificateNotValidYet
        },
        Question(testDescription: "the intermediate is missing") {
            $0.certificates = [Certificates.server]
            $0.expected = errSecCreateChainFailed
        },
        Question(testDescription: "the anchor is another root") {
            $0.anchors = [Certificates.otherRoot]
            $0.expected = errSecCreateChainFailed
        },
        Question(testDescription: "the root is there but no anchor") {
            $0.certificates.append(Certificates.root)
            $0.anchors = [Certificates.otherRoot]
            $0.expected = errSecNotTrusted
        },
        Question(testDescription: "there is no anchor") {
            $0.anchors = []
            $0.expected = errSecCreateChainFailed
        },
        Question(testDescription: "the system does not know the root") {
            $0.certificates.append(Certificates.root)
            $0.anchors = nil
            $0.expected = errSecNotTrusted
        },
        Question(testDescription: "it signed itself") {
            $0.certificates = [Certificates.otherRoot]
            $0.expected = errSecNotTrusted
        },
        Question(testDescription: "the issuer is no authority") {
            $0.certificates = [
                Certificates.misissued, Certificates.server, Certificates.issuing,
            ]
            $0.expected = errSecNoBasicConstraintsCA
        },
        Question(testDescription: "it is a client's, and valid for a century") {
            $0.certificates[0] = Certificates.ada
            $0.policy = tls(nil)
            $0.expected = errSecCertificateValidityPeriodTooLong
        },
        Question(testDescription: "it is a server's") {
            $0.policy = { SecPolicyCreateSSL(false, nil) }
            $0.expected = errSecInvalidExtendedKeyUsage
        },
    ]

    @Test(.requirement("CRT-17"), arguments: bad)
    func `is refused since`(question: Question) throws {
        let answer = try question.trust().answer()
        #expect(answer.status == question.expected, "\(answer.sentence)")
        #expect(!answer.sentence.isEmpty)
        #expect(!SecTrustEvaluateWithError(try question.trust(), nil))
    }

    @Test(
        .requirement("CRT-17"),
        arguments: [
            "example.com", "other.example.com", "wild.example.com", "a.b.wild.example.com",
            ".example.com", "*.wild.example.com.evil.org", "server.example.com.evil.org",
            "server.example.com\0.evil.org", "server", "", ".", "192.0.2.8", "192.0.2.70",
            "2001:db8::1", "Example Ltd",
        ]
    )
    func `is refused for another host`(host: String) throws {
        let question = Question(policy: Self.tls(host))
        #expect(try question.trust().answer().status == errSecHostNameMismatch)
    }

    @Test(.requirement("CRT-17"))
    func `is refused since a signature is wrong`() throws {
        var bytes = Certificates.server.bytes
        bytes[bytes.count - 1] ^= 1
        let forged = try #require(SecCertificateCreateWithData(nil, Data(bytes) as CFData))
        var trust: SecTrust?
        let chain = [forged, Certificates.issuing.certificate] as CFArray
        SecTrustCreateWithCertificates(chain, nil, &trust)
        let asked = try #require(trust)
        SecTrustSetAnchorCertificates(asked, [Certificates.root.certificate] as CFArray)
        #expect(asked.answer().status == errSecVerifyFailed)
    }

    @Test func `names the certificate that the reason is about`() throws {
        var question = Question(certificates: [Certificates.expired, Certificates.issuing])
        #expect(try question.trust().answer().sentence == "The certificate has expired.")
        question.certificates = [Certificates.server]
        let missing = "The certificate has an issuer that is missing."
        #expect(try question.trust().answer().sentence == missing)
        question.certificates = [Certificates.misissued, Certificates.server, Certificates.issuing]
        let authority = "The issuer 1 above it may not issue certificates."
        #expect(try question.trust().answer().sentence == authority)
    }
}

extension Question {
    fileprivate init(testDescription: String, _ change: (inout Question) -> Void) {
        self.init(testDescription: testDescription)
        change(&self)
    }
}
