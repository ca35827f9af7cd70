import CoreFoundation
import KeychainHost
import KeychainModel

/// Reports `errSecUnimplemented`, because this system has no shared web credentials.
///
/// On Apple's platforms this function stores a password in the browser's list. Here the completion
/// handler receives the error on another thread.
public func SecAddSharedWebCredential(
    _ fqdn: CFString,
    _ account: CFString,
    _ password: CFString?,
    _ completionHandler: @escaping (CFError?) -> Void
) {
    // The handler is called once, and only here.
    nonisolated(unsafe) let handler = completionHandler
    RequestRouter.async { handler(sharedCredentialsUnavailable()) }
}

/// Reports `errSecUnimplemented`, because this system has no shared web credentials.
///
/// On Apple's platforms this function requests a password from the browser's list. Here the
/// completion handler receives no entries and the error, on another thread.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?,
    _ account: CFString?,
    _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) {
    // The handler is called once, and only here.
    nonisolated(unsafe) let handler = completionHandler
    RequestRouter.async { handler(nil, sharedCredentialsUnavailable()) }
}

/// Returns a random password of the form `xxx-xxx-xxx-xxx`.
///
/// The password has twelve letters and digits from an alphabet of 53, each equally likely: about 69
/// bits.
///
/// - Returns: the password, or nil if the system returns no random bytes.
/// - Source: the form is from Apple's documentation of this function.
@discardableResult
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghkmnopqrstuvwxy3456789")
    let groups = (0..<4).map { _ in (0..<3).compactMap { _ in randomElement(of: alphabet) } }
    guard groups.allSatisfy({ $0.count == 3 }) else { return nil }
    return groups.map { String($0) }.joined(separator: "-") as CFString
}

/// Returns one element, each equally likely; nil without random bytes.
///
/// Bytes at or above the largest multiple of the count are rejected, so no element is favored.
private func randomElement(of alphabet: [Character]) -> Character? {
    let bound = 256 - 256 % alphabet.count
    while true {
        var byte: UInt8 = 0
        guard SecRandomCopyBytes(kSecRandomDefault, 1, &byte) == errSecSuccess else { return nil }
        if Int(byte) < bound { return alphabet[Int(byte) % alphabet.count] }
    }
}

private func sharedCredentialsUnavailable() -> CFError {
    NSError(
        status: .unimplemented,
        message: "Shared web credentials belong to a browser's password list; this system has none."
    )
}
