import KeychainSimulator
import Security
import Synchronization
import TestSupport
import Testing

/// The deprecated names, called without the warnings that client code gets.
private protocol OldTrust {
    static func evaluate(_ trust: SecTrust, _ result: inout SecTrustResultType) -> OSStatus
    static func evaluate(
        _ trust: SecTrust,
        _ queue: DispatchQueue?,
        _ call: @escaping SecTrustCallback
    ) -> OSStatus
}

private enum Old {
    static var trust: any OldTrust.Type { Names.self }

    private enum Names: OldTrust {
        @available(*, deprecated)
        static func evaluate(_ trust: SecTrust, _ result: inout SecTrustResultType) -> OSStatus {
            SecTrustEvaluate(trust, &result)
        }

        @available(*, deprecated)
        static func evaluate(
            _ trust: SecTrust,
            _ queue: DispatchQueue?,
            _ call: @escaping SecTrustCallback
        ) -> OSStatus { SecTrustEvaluateAsync(trust, queue, call) }
    }
}

extension Question {
    fileprivate init(of name: String = "", _ change: (inout Question) -> Void) {
        self.init()
        testDescription = name
        change(&self)
    }
}

private func result(of trust: SecTrust) -> SecTrustResultType {
    var result = SecTrustResultType.invalid
    #expect(Old.trust.evaluate(trust, &result) == errSecSuccess)
    return result
}

@Suite struct `The outcome of a question about trust` {
    @Test func `has Apple's names`() throws {
        #expect(SecTrustResultType.unspecified.rawValue == 4)
        #expect(SecTrustResultType(rawValue: 5) == .recoverableTrustFailure)
        #expect(try result(of: Question().trust()) == .unspecified)
        let expired = Question { $0.certificates[0] = Certificates.expired }
        #expect(try result(of: expired.trust()) == .recoverableTrustFailure)
    }

    @Test func `is known until the question changes`() throws {
        let trust = try Question().trust()
        var found = SecTrustResultType.proceed
        #expect(SecTrustGetTrustResult(trust, &found) == errSecSuccess && found == .invalid)
        #expect(SecTrustEvaluateWithError(trust, nil))
        SecTrustGetTrustResult(trust, &found)
        #expect(found == .unspecified)
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.example.com" as CFString))
        SecTrustGetTrustResult(trust, &found)
        #expect(found == .invalid)
    }

    @Test func `comes on a queue, with the simulated app of the caller`() async throws {
        let phone = try SimulatedDevice()
        let app = phone.install(.init(bundleIdentifier: "com.example.app"))
        let trust = try Question { $0.certificates[0] = Certificates.expired }.trust()
        let queue = DispatchQueue(label: "trust")
        let item = [kSecClass: kSecClassGenericPassword] as CFDictionary
        let (status, isTrusted, code) = await withCheckedContinuation { done in
            app.run {
                _ = SecTrustEvaluateAsyncWithError(trust, queue) { _, isTrusted, error in
                    let code = error.map { OSStatus(CFErrorGetCode($0)) }
                    done.resume(returning: (SecItemDelete(item), isTrusted, code))
                }
            }
        }
        #expect(status == errSecItemNotFound)
        #expect(!isTrusted && code == errSecCertificateExpired)
        let old = await withCheckedContinuation { done in
            _ = Old.trust.evaluate(trust, queue) { done.resume(returning: $1) }
        }
        #expect(old == .recoverableTrustFailure)
    }
}

@Suite struct `What speaks against a certificate` {
    private static let wrong = [
        Question(of: "it has expired") {
            $0.certificates[0] = Certificates.expired
        },
        Question(of: "its root is unknown") { $0.anchors = [] },
        Question(of: "its issuer is missing") {
            $0.certificates = [Certificates.server]
        },
        Question(of: "it is for another host") {
            $0.policy = { SecPolicyCreateSSL(true, "other.example.com" as CFString) }
        },
        Question(of: "all of this") {
            $0.certificates = [Certificates.expired]
            $0.policy = { SecPolicyCreateSSL(true, "other.example.com" as CFString) }
        },
    ]

    @Test(arguments: wrong)
    func `can be accepted as it is`(question: Question) throws {
        let trust = try question.trust()
        #expect(!SecTrustEvaluateWithError(trust, nil))
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(SecTrustEvaluateWithError(trust, nil))
        #expect(result(of: trust) == .proceed)
        let other = try question.trust()
        #expect(SecTrustSetExceptions(other, exceptions) && SecTrustEvaluateWithError(other, nil))
        #expect(!SecTrustSetExceptions(other, nil) && !SecTrustEvaluateWithError(other, nil))
    }

    @Test func `is accepted for this certificate alone`() throws {
        let trust = try Question { $0.anchors = [] }.trust()
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        let other = try Question {
            $0.anchors = []
            $0.certificates[0] = Certificates.ada
        }.trust()
        #expect(!SecTrustSetExceptions(other, exceptions))
        #expect(!SecTrustEvaluateWithError(other, nil))
        #expect(!SecTrustSetExceptions(trust, Data("text".utf8) as CFData))
    }

    // What somebody accepted does not hide what is wrong later.
    @Test func `is accepted, and nothing more`() throws {
        let trust = try Question { $0.anchors = [] }.trust()
        #expect(SecTrustSetExceptions(trust, SecTrustCopyExceptions(trust)))
        #expect(SecTrustEvaluateWithError(trust, nil))
        let later = try Date("2120-01-02T00:00:00Z", strategy: .iso8601)
        SecTrustSetVerifyDate(trust, later as CFDate)
        #expect(trust.answer().status == errSecCertificateExpired)
        SecTrustSetVerifyDate(trust, Date() as CFDate)
        #expect(SecTrustEvaluateWithError(trust, nil))
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.example.com" as CFString))
        #expect(trust.answer().status != errSecSuccess)
    }
}

@Suite struct `Names beside a question about trust` {
    @Test func `read it back`() throws {
        let trust = try Question(date: "2105-01-01T00:00:00Z").trust()
        var policies: CFArray?
        #expect(SecTrustCopyPolicies(trust, &policies) == errSecSuccess)
        #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509()])
        var anchors: CFArray?
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess)
        #expect(anchors as? [SecCertificate] == [Certificates.root.certificate])
        let moment = try Date("2105-01-01T00:00:00Z", strategy: .iso8601)
        #expect(SecTrustGetVerifyTime(trust) == moment.timeIntervalSinceReferenceDate)
    }

    @Test func `never use the network, and say so`() throws {
        let trust = try Question().trust()
        #expect(SecTrustSetNetworkFetchAllowed(trust, false) == errSecSuccess)
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecUnimplemented)
        var isAllowed: DarwinBoolean = true
        #expect(SecTrustGetNetworkFetchAllowed(trust, &isAllowed) == errSecSuccess)
        #expect(!isAllowed.boolValue && isAllowed == DarwinBoolean(false))
        let any = kSecRevocationUseAnyAvailableMethod
        let relaxed = try #require(SecPolicyCreateRevocation(any))
        SecTrustSetPolicies(trust, [SecPolicyCreateBasicX509(), relaxed] as CFArray)
        #expect(SecTrustEvaluateWithError(trust, nil))
        // Nobody answers, so nobody is trusted.
        let strict = SecPolicyCreateRevocation(any | kSecRevocationRequirePositiveResponse)
        SecTrustSetPolicies(trust, try #require(strict))
        #expect(trust.answer().status == errSecIncompleteCertRevocationCheck)
        #expect(SecPolicyCreateRevocation(0) == nil && SecPolicyCreateRevocation(1 << 9) == nil)
    }
}
