import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainModel
import Synchronization

/// A trust object: a certificate, the policies that it must satisfy, and the trusted anchors.
///
/// The evaluation does not check revocation and fetches no data from the network.
///
/// ```swift
/// let policy = SecPolicyCreateSSL(true, "example.com" as NSString)
/// var trust: SecTrust?
/// SecTrustCreateWithCertificates(certificate, policy, &trust)
/// var reason: CFError?
/// let isTrusted = trust.map { SecTrustEvaluateWithError($0, &reason) } ?? false
/// ```
///
/// - Source: RFC 5280, section 6.
public final class SecTrust: Sendable {
    private struct Question {
        var anchors: [SecCertificate]?
        var includesSystemAnchors = true
        var policies: [SecPolicy]
        var date: Date?
        /// The failures that the user accepted.
        var exceptions: TrustExceptions?
    }

    /// The result of an evaluation.
    struct Answer: Sendable {
        /// The certificates from the leaf to the anchor, or as far as they could be followed.
        let chain: [SecCertificate]
        /// The failure; nil if the leaf is trusted under every policy.
        let failure: TrustFailure?
        /// Whether exceptions make the leaf trusted.
        var hasExceptions = false
    }

    private struct State {
        var question: Question
        /// The result; nil until the trust object is evaluated, and after every change.
        var answer: Answer?
    }

    private let certificates: [SecCertificate]
    private let state: Mutex<State>

    init(_ certificates: [SecCertificate], policies: [SecPolicy]) {
        self.certificates = certificates
        state = Mutex(State(question: Question(policies: policies)))
    }

    func setAnchors(_ anchors: [SecCertificate]?) {
        change { question in
            question.anchors = anchors
            question.includesSystemAnchors = anchors == nil
        }
    }

    func setIncludesSystemAnchors(_ includes: Bool) {
        change { $0.includesSystemAnchors = includes }
    }

    func setPolicies(_ policies: [SecPolicy]) { change { $0.policies = policies } }

    func setDate(_ date: Date) { change { $0.date = date } }

    func setExceptions(_ exceptions: TrustExceptions?) { change { $0.exceptions = exceptions } }

    var policies: [SecPolicy] { state.withLock { $0.question.policies } }
    var anchors: [SecCertificate]? { state.withLock { $0.question.anchors } }
    var date: Date? { state.withLock { $0.question.date } }

    /// The result, if the trust object was evaluated.
    var knownAnswer: Answer? { state.withLock { $0.answer } }

    /// Returns all present failures of the certificate, as exceptions.
    func exceptionsNow() throws(KeychainError) -> TrustExceptions {
        let question = state.withLock { $0.question }
        guard let leaf else { throw KeychainError(.param, "there is no certificate to trust") }
        var found: [TrustFailure] = []
        for policy in question.policies {
            let evaluation = evaluation(of: leaf, policy, question)
            found += try fromCryptography(try evaluation.failures())
        }
        return try fromCryptography(try TrustExceptions(leaf, found))
    }

    /// Changes the trust object, and discards its result.
    private func change(_ body: (inout Question) -> Void) {
        state.withLock { state in
            body(&state.question)
            state.answer = nil
        }
    }

    /// The certificate to evaluate.
    var leaf: SecCertificate? { certificates.first }

    /// The chain of the evaluation, which runs now if it has not yet; only the leaf if it fails.
    var chain: [SecCertificate] {
        do throws(KeychainError) {
            return try evaluate().chain
        } catch {
            return Array(certificates.prefix(1))
        }
    }

    /// Evaluates the trust object, unless there is already a result.
    func evaluate() throws(KeychainError) -> Answer {
        let (question, known) = state.withLock { ($0.question, $0.answer) }
        if let known { return known }
        let answer = try answer(to: question)
        state.withLock { $0.answer = answer }
        return answer
    }

    private func answer(to question: Question) throws(KeychainError) -> Answer {
        guard let leaf = certificates.first else {
            throw KeychainError(.param, "there is no certificate to trust")
        }
        var chain = [leaf]
        var hasExceptions = false
        for policy in question.policies {
            guard !policy.needsRevocationAnswer else {
                let status = SecurityStatus(rawValue: errSecIncompleteCertRevocationCheck)
                throw KeychainError(status, "no authority was asked about revocation")
            }
            let evaluation = evaluation(of: leaf, policy, question)
            let result = try fromCryptography(try evaluation.evaluate())
            chain = result.chain.map(SecCertificate.init)
            guard let failure = result.failure else { continue }
            guard let exceptions = question.exceptions else {
                return Answer(chain: chain, failure: failure)
            }
            let found = try fromCryptography(try evaluation.failures())
            guard exceptions.cover(found) else {
                let refused = found.first { !exceptions.cover([$0]) }
                return Answer(chain: chain, failure: refused ?? failure)
            }
            hasExceptions = true
        }
        return Answer(chain: chain, failure: nil, hasExceptions: hasExceptions)
    }

    private func evaluation(
        of leaf: SecCertificate,
        _ policy: SecPolicy,
        _ question: Question
    ) -> TrustEvaluation {
        TrustEvaluation(
            leaf: leaf.certificate,
            intermediates: certificates.dropFirst().map(\.certificate),
            anchors: (question.anchors ?? []).map(\.certificate),
            includesSystemAnchors: question.includesSystemAnchors,
            purpose: policy.purpose,
            hostName: policy.hostName,
            date: Self.seconds(of: question.date ?? Date())
        )
    }

    /// Returns whole seconds; a date outside the years 5 to 9999, or an invalid one, becomes the
    /// nearest limit.
    private static func seconds(of date: Date) -> Int64 {
        let (first, last) = (-63_000_000_000.0, 252_000_000_000.0)
        let seconds = date.timeIntervalSinceReferenceDate
        return seconds > first ? Int64(min(seconds, last)) : Int64(first)
    }
}

extension SecTrust: Hashable {
    /// Returns whether both are the same object, because its settings can change.
    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SecTrust: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_006
}

/// Returns the type id of trust objects.
@discardableResult
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.typeIdentifier }

/// Creates a trust object for a certificate.
///
/// - Parameters:
///   - certificates: a certificate, or an array that starts with the one to evaluate. The others
///     may connect it to an anchor.
///   - policies: a policy or an array of policies; nil for `SecPolicyCreateBasicX509`.
///   - trust: receives the trust object.
/// - Returns: `errSecSuccess`; `errSecParam` for other objects or an empty array.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let found = all(SecCertificate.self, in: certificates), !found.isEmpty else {
        return errSecParam
    }
    // Without any policy, no certificate could fail.
    guard let asked = policies.map({ all(SecPolicy.self, in: $0) }) ?? [SecPolicyCreateBasicX509()],
        !asked.isEmpty
    else { return errSecParam }
    trust.pointee = SecTrust(found, policies: asked)
    return errSecSuccess
}

/// Returns an object, or an array of such objects, as an array; nil for any other object.
private func all<Element: AnyObject>(_ type: Element.Type, in object: CFTypeRef) -> [Element]? {
    if let single = object as? Element { return [single] }
    guard let array = object as? NSArray else { return nil }
    let elements = array.compactMap { ($0 as AnyObject) as? Element }
    return elements.count == array.count ? elements : nil
}

/// Replaces the system's roots with other anchors; nil restores the roots.
///
/// - Returns: `errSecSuccess`; `errSecParam` if the array contains other objects than certificates.
@discardableResult
public func SecTrustSetAnchorCertificates(
    _ trust: SecTrust,
    _ anchorCertificates: CFArray?
) -> OSStatus {
    guard let anchorCertificates else {
        trust.setAnchors(nil)
        return errSecSuccess
    }
    guard let anchors = all(SecCertificate.self, in: anchorCertificates) else {
        return errSecParam
    }
    trust.setAnchors(anchors)
    return errSecSuccess
}

/// Sets whether only the given anchors count, or also the system's roots.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust,
    _ anchorCertificatesOnly: Bool
) -> OSStatus {
    trust.setIncludesSystemAnchors(!anchorCertificatesOnly)
    return errSecSuccess
}

/// Replaces the policies of the trust object.
///
/// - Parameters:
///   - trust: the trust object.
///   - policies: a policy, or an array of at least one.
/// - Returns: `errSecSuccess`; `errSecParam` for an empty array or other objects.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let asked = all(SecPolicy.self, in: policies), !asked.isEmpty else {
        return errSecParam
    }
    trust.setPolicies(asked)
    return errSecSuccess
}

/// Sets the date for which the evaluation checks validity, instead of now.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    trust.setDate(verifyDate as Date)
    return errSecSuccess
}

/// Returns whether the certificate is trustworthy under every policy of the trust object.
///
/// - Parameters:
///   - trust: the trust object.
///   - error: receives the first reason against the certificate, as an error of
///     `NSOSStatusErrorDomain`.
/// - Returns: true if the evaluation finds no reason against it.
/// - Source: Apple's "Evaluating a trust and parsing the result"; RFC 5280, section 6.
public func SecTrustEvaluateWithError(
    _ trust: SecTrust,
    _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
    do throws(KeychainError) {
        guard let failure = try trust.evaluate().failure else { return true }
        error?.pointee = NSError(status: failure.status, message: failure.sentence)
    } catch let problem {
        error?.pointee = NSError(status: problem.status, message: problem.reason)
    }
    return false
}

/// Returns the chain from the certificate to the anchor, as an evaluation finds it.
///
/// The call evaluates the trust object if it has changed since its last evaluation.
///
/// - Returns: the certificate first, without any missing issuers.
/// - Source: Apple's published Security source: every function for the chain evaluates first.
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    NSArray(array: trust.chain)
}

/// Returns the number of certificates in the chain, which it evaluates first.
@discardableResult
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.chain.count }

/// Returns the public key of the certificate, without an evaluation.
@discardableResult
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.leaf.flatMap(SecCertificateCopyKey)
}

/// Returns a certificate of the chain by its position, from 0; nil beyond the end.
///
/// The first is the certificate to evaluate; for the others, the call evaluates first.
@available(*, deprecated, message: "Use SecTrustCopyCertificateChain")
@discardableResult
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    guard ix != 0 else { return trust.leaf }
    let chain = trust.chain
    return chain.indices.contains(ix) ? chain[ix] : nil
}

/// Returns the public key of the certificate.
@available(*, deprecated, message: "Use SecTrustCopyKey")
@discardableResult
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }
