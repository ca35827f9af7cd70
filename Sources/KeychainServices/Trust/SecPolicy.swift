import CoreFoundation
import Cryptography
import KeychainModel

/// The purpose for which a certificate must be trusted.
public final class SecPolicy: Sendable {
    let purpose: TrustEvaluation.Purpose
    let hostName: String?
    /// Whether a response of the authority must confirm that the certificate is not revoked.
    let needsRevocationAnswer: Bool

    init(
        _ purpose: TrustEvaluation.Purpose,
        hostName: String? = nil,
        needsRevocationAnswer: Bool = false
    ) {
        self.purpose = purpose
        self.hostName = hostName
        self.needsRevocationAnswer = needsRevocationAnswer
    }
}

extension SecPolicy {
    /// The policy in the form for a search for certificates.
    var value: CertificatePolicy {
        let use: CertificatePolicy.Use =
            switch purpose {
            case .any, .codeSigning: .any
            case .tlsServer: .tlsServer
            case .tlsClient: .tlsClient
            }
        return CertificatePolicy(use, hostName: hostName)
    }
}

extension SecPolicy: Hashable {
    /// Returns whether both policies have the same purpose and host name.
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool {
        left.purpose == right.purpose && left.hostName == right.hostName
            && left.needsRevocationAnswer == right.needsRevocationAnswer
    }

    /// Hashes the purpose and the host name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(purpose)
        hasher.combine(hostName)
    }
}

extension SecPolicy: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_005
}

/// Returns the type id of policies.
@discardableResult
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.typeIdentifier }

/// Returns a policy that requires a currently valid chain to an anchor, for any purpose.
@discardableResult
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// Returns a policy for the certificate of a TLS peer.
///
/// A server's certificate must also comply with Apple's rules:
///
/// - Keys have at least 2048 bits (RSA) or 256 bits (elliptic curves), and no signature uses SHA-1.
/// - A certificate from after 1 July 2019 is valid for at most 825 days, and its extended key usage
///   names TLS servers. This applies to anchors of the app, and to certificates without an anchor.
/// - Below a root of the system, a certificate of any date names that use. It is valid for at most
///   398 days if it is from 1 September 2020 or later, and for 825 days, 39 months or five years if
///   it is older.
/// - Below a root that an administrator added, the limit is 825 days.
///
/// Only the subject's alternative names are compared with the host name. Without a host name, a
/// certificate needs no names, as on Apple's platforms.
///
/// - Parameters:
///   - server: true for a server's certificate, false for a client's.
///   - hostname: the name or address that a server's certificate must contain. Nil accepts any. A
///     client's policy ignores it.
/// - Returns: the policy.
/// - Source: RFC 6125 for names; RFC 5280 for extended key usage; Apple's "Requirements for trusted
///   certificates in iOS 13 and macOS 10.15" and "About upcoming limits on trusted certificates".
@discardableResult
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(server ? .tlsServer : .tlsClient, hostName: server ? hostname as String? : nil)
}
