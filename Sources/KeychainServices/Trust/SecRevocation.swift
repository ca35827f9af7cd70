import CoreFoundation

/// Checks with the authority's server.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Checks with the authority's list.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Checks with the list first.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// Trusts no certificate without a response from its authority.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Uses no network.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Checks with the authority's server or list.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags =
    kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// Returns a policy about revoked certificates.
///
/// This system queries no authority. So with `kSecRevocationRequirePositiveResponse` the policy
/// trusts no certificate; without it, the policy has the requirements of
/// `SecPolicyCreateBasicX509`.
///
/// - Parameter revocationFlags: the sum of `kSecRevocation…` constants.
/// - Returns: the policy, or nil for other flags.
@discardableResult
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    let known: CFOptionFlags = 0b1_1111
    guard revocationFlags != 0, revocationFlags & ~known == 0 else { return nil }
    return SecPolicy(
        .any,
        needsRevocationAnswer: revocationFlags & kSecRevocationRequirePositiveResponse != 0
    )
}
