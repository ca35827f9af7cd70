import CoreFoundation
import Cryptography
import KeychainModel
import KeychainReferences
import Synchronization

/// A question about a certificate: whether to trust it, for what, and on whose word.
///
/// Revocation is not checked; nothing is fetched.
/// - Source: Certificate trust.
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
        do throws(CryptographyError) {
            return try question.evaluate()
        } catch { throw KeychainError(error) }
    }
}

extension SecTrust: Hashable {
    /// Whether both are the same object: a question changes while it is asked.
    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SecTrust: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_006
}

/// The type id of trust objects.
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.typeIdentifier }

/// Asks about a certificate.
///
/// - Parameters:
///   - certificates: a certificate, or an array: the one in question first, then any that may
///     connect it to an anchor.
///   - policies: a policy or an array of them; nil for the basic one.
///   - trust: receives the question.
/// - Returns: `errSecParam` for anything else, and for no certificate.
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

/// Trusts these certificates instead of the system's roots; nil goes back to those.
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

/// Whether the system's roots are trusted beside the given anchors.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust,
    _ anchorCertificatesOnly: Bool
) -> OSStatus {
    trust.setIncludesSystemAnchors(!anchorCertificatesOnly)
    return errSecSuccess
}

/// Asks under other policies, of which there has to be one at least.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let asked = all(SecPolicy.self, in: policies), !asked.isEmpty else {
        return errSecParam
    }
    trust.setPolicies(asked)
    return errSecSuccess
}

/// Asks about another moment than now.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    trust.setDate(verifyDate as Date)
    return errSecSuccess
}

/// Whether to trust the certificate.
///
/// - Parameters:
///   - trust: the question.
///   - error: receives the first reason against it.
/// - Returns: whether nothing speaks against it.
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

/// The certificates from the one in question to the anchor, as far as the last evaluation came.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    NSArray(array: trust.chain)
}

/// How many certificates the chain has.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.chain.count }

/// The public key of the certificate in question.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.chain.first.flatMap(SecCertificateCopyKey)
}

/// A certificate of the chain, the one in question first; nil beyond its end.
@available(*, deprecated, message: "Use SecTrustCopyCertificateChain")
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let chain = trust.chain
    return chain.indices.contains(ix) ? chain[ix] : nil
}

/// The public key of the certificate in question.
@available(*, deprecated, message: "Use SecTrustCopyKey")
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }
