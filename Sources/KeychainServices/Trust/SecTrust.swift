import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainModel
import Synchronization

/// A question whether a certificate is trustworthy, for which purpose, and by which anchors.
///
/// The evaluation does not check revocation and fetches nothing from the network.
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
    private struct State {
        var anchors: [SecCertificate]?
        var includesSystemAnchors = true
        var policies: [SecPolicy]
        var date: Date?
        var chain: [SecCertificate]
    }

    private let certificates: [SecCertificate]
    private let state: Mutex<State>

    init(_ certificates: [SecCertificate], policies: [SecPolicy]) {
        self.certificates = certificates
        state = Mutex(State(policies: policies, chain: certificates))
    }

    func setAnchors(_ anchors: [SecCertificate]?) {
        state.withLock { state in
            state.anchors = anchors
            state.includesSystemAnchors = anchors == nil
        }
    }

    func setIncludesSystemAnchors(_ includes: Bool) {
        state.withLock { $0.includesSystemAnchors = includes }
    }

    func setPolicies(_ policies: [SecPolicy]) { state.withLock { $0.policies = policies } }

    func setDate(_ date: Date) { state.withLock { $0.date = date } }

    var chain: [SecCertificate] { state.withLock { $0.chain } }

    /// nil when the leaf is trusted under every policy.
    func evaluate() throws(KeychainError) -> TrustFailure? {
        let current = state.withLock { $0 }
        guard let leaf = certificates.first else {
            throw KeychainError(.param, "there is no certificate to trust")
        }
        for policy in current.policies {
            let question = TrustEvaluation(
                leaf: leaf.certificate,
                intermediates: certificates.dropFirst().map(\.certificate),
                anchors: (current.anchors ?? []).map(\.certificate),
                includesSystemAnchors: current.includesSystemAnchors,
                purpose: policy.purpose,
                hostName: policy.hostName,
                date: Self.seconds(of: current.date ?? Date())
            )
            let result = try answer(question)
            state.withLock { $0.chain = result.chain.map(SecCertificate.init) }
            if let failure = result.failure { return failure }
        }
        return nil
    }

    /// Whole seconds; a date outside the years 5 to 9999, or none at all, becomes one at the end.
    private static func seconds(of date: Date) -> Int64 {
        let (first, last) = (-63_000_000_000.0, 252_000_000_000.0)
        let seconds = date.timeIntervalSinceReferenceDate
        return seconds > first ? Int64(min(seconds, last)) : Int64(first)
    }

    private func answer(_ question: TrustEvaluation) throws(KeychainError) -> TrustResult {
        try fromCryptography(try question.evaluate())
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
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.typeIdentifier }

/// Creates a question about a certificate.
///
/// - Parameters:
///   - certificates: a certificate, or an array that begins with the one in question. The others
///     may connect it to an anchor.
///   - policies: a policy or an array of policies; nil for `SecPolicyCreateBasicX509`.
///   - trust: receives the question.
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
    // Without any policy there would be nothing to fail.
    guard let asked = policies.map({ all(SecPolicy.self, in: $0) }) ?? [SecPolicyCreateBasicX509()],
        !asked.isEmpty
    else { return errSecParam }
    trust.pointee = SecTrust(found, policies: asked)
    return errSecSuccess
}

/// An object or an array of such; nil for anything else.
private func all<Element: AnyObject>(_ type: Element.Type, in object: CFTypeRef) -> [Element]? {
    if let single = object as? Element { return [single] }
    guard let array = object as? NSArray else { return nil }
    let elements = array.compactMap { ($0 as AnyObject) as? Element }
    return elements.count == array.count ? elements : nil
}

/// Replaces the system's roots with other anchors; nil restores the roots.
///
/// - Returns: `errSecSuccess`; `errSecParam` if the array contains anything else than certificates.
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

/// Sets whether only the given anchors count, or the system's roots too.
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

/// Replaces the policies of the question.
///
/// - Parameters:
///   - trust: the question.
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

/// Returns whether the certificate is trustworthy under every policy of the question.
///
/// - Parameters:
///   - trust: the question.
///   - error: receives the first reason against the certificate, as an error of
///     `NSOSStatusErrorDomain`.
/// - Returns: true if the evaluation finds no reason against it.
/// - Source: Apple's "Evaluating a trust and parsing the result"; RFC 5280, section 6.
public func SecTrustEvaluateWithError(
    _ trust: SecTrust,
    _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
    do throws(KeychainError) {
        guard let failure = try trust.evaluate() else { return true }
        error?.pointee = NSError(status: failure.status, message: failure.sentence)
    } catch let problem {
        error?.pointee = NSError(status: problem.status, message: problem.reason)
    }
    return false
}

/// Returns the chain from the certificate in question towards the anchor, as the last evaluation
/// found it.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    NSArray(array: trust.chain)
}

/// Returns the number of certificates in the chain.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.chain.count }

/// Returns the public key of the certificate in question.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.chain.first.flatMap(SecCertificateCopyKey)
}

/// Returns a certificate of the chain by its position, from 0; nil beyond the end.
@available(*, deprecated, message: "Use SecTrustCopyCertificateChain")
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let chain = trust.chain
    return chain.indices.contains(ix) ? chain[ix] : nil
}

/// Returns the public key of the certificate in question.
@available(*, deprecated, message: "Use SecTrustCopyKey")
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }
