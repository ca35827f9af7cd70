import CoreFoundation
import KeychainHost
import KeychainModel

/// Would store a password in the browser's list; there is none here, so it always fails.
///
/// The completion handler receives `errSecUnimplemented`, on another thread.
public func SecAddSharedWebCredential(
    _ fqdn: CFString,
    _ account: CFString,
    _ password: CFString?,
    _ completionHandler: @escaping (CFError?) -> Void
) {
    // The handler is called once and by nobody else.
    nonisolated(unsafe) let handler = completionHandler
    Connection.async { handler(sharedCredentialsUnavailable()) }
}

/// Would ask for a password in the browser's list; there is none here, so it always fails.
///
/// The completion handler receives no entries and `errSecUnimplemented`, on another thread.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?,
    _ account: CFString?,
    _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) {
    // The handler is called once and by nobody else.
    nonisolated(unsafe) let handler = completionHandler
    Connection.async { handler(nil, sharedCredentialsUnavailable()) }
}

/// A random password of the form `xxx-xxx-xxx-xxx`, or nil if the system gives no random bytes.
///
/// Twelve letters and digits, each equally likely: about 70 bits.
/// - Source: the form that Apple documents for this function.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghkmnopqrstuvwxy3456789")
    let groups = (0..<4).map { _ in (0..<3).compactMap { _ in randomElement(of: alphabet) } }
    guard groups.allSatisfy({ $0.count == 3 }) else { return nil }
    return groups.map { String($0) }.joined(separator: "-") as CFString
}

/// One element, each equally likely, or nil without random bytes.
///
/// Bytes at or above the largest multiple of the count are drawn again, so nothing is favored.
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
