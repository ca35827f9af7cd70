import CoreFoundation
import Cryptography

/// The purpose for which a certificate must be trusted.
public final class SecPolicy: Sendable {
    let purpose: TrustEvaluation.Purpose
    let hostName: String?

    init(_ purpose: TrustEvaluation.Purpose, hostName: String? = nil) {
        self.purpose = purpose
        self.hostName = hostName
    }
}

extension SecPolicy: Hashable {
    /// Returns whether both policies have the same purpose and host name.
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool {
        left.purpose == right.purpose && left.hostName == right.hostName
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
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.typeIdentifier }

/// Returns a policy that requires a currently valid chain to an anchor, for any purpose.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// Returns a policy for the certificate of a TLS peer.
///
/// - Parameters:
///   - server: true for a server's certificate, false for a client's.
///   - hostname: the name or address that a server's certificate must contain. Nil accepts any. A
///     client's policy ignores it.
/// - Returns: the policy.
/// - Source: RFC 6125 for names; RFC 5280 for extended key usage.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(server ? .tlsServer : .tlsClient, hostName: server ? hostname as String? : nil)
}
