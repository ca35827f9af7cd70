import CoreFoundation
import Cryptography

/// What a certificate is to be trusted for.
public final class SecPolicy: Sendable {
    let purpose: TrustEvaluation.Purpose
    let hostName: String?

    init(_ purpose: TrustEvaluation.Purpose, hostName: String? = nil) {
        self.purpose = purpose
        self.hostName = hostName
    }
}

extension SecPolicy: Hashable {
    /// Whether both ask for the same.
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool {
        left.purpose == right.purpose && left.hostName == right.hostName
    }

    /// Hashes what is asked for.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(purpose)
        hasher.combine(hostName)
    }
}

extension SecPolicy: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_005
}

/// The type id of policies.
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.typeIdentifier }

/// A chain to an anchor, valid now; for no particular use.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// A TLS peer.
///
/// - Parameters:
///   - server: whether the certificate is a server's.
///   - hostname: the name or address that a server has to stand for; nil for any.
/// - Returns: the policy.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(server ? .tlsServer : .tlsClient, hostName: server ? hostname as String? : nil)
}
