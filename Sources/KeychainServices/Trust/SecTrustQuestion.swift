// The settings of a trust object, including those for the network, which is never used.
import CoreFoundation

/// Retrieves the policies of a trust object.
///
/// - Parameters:
///   - trust: the trust object.
///   - policies: receives an array of policies.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyPolicies(
    _ trust: SecTrust,
    _ policies: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    policies.pointee = NSArray(array: trust.policies)
    return errSecSuccess
}

/// Retrieves the anchors that the program has set.
///
/// - Parameters:
///   - trust: the trust object.
///   - anchors: receives an array of certificates, or nil if the program has set none.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust,
    _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    anchors.pointee = trust.anchors.map { NSArray(array: $0) }
    return errSecSuccess
}

/// Returns the time for which the evaluation checks validity, in seconds since 2001.
@discardableResult
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    trust.date?.timeIntervalSinceReferenceDate ?? CFAbsoluteTimeGetCurrent()
}

/// Does nothing, because the evaluation never uses the network.
///
/// - Returns: `errSecSuccess` for false; `errSecUnimplemented` for true.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    allowFetch ? errSecUnimplemented : errSecSuccess
}

/// Retrieves whether the evaluation uses the network: never.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust,
    _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    allowFetch.pointee = false
    return errSecSuccess
}
