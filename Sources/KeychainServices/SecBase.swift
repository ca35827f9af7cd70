import CoreFoundation
import KeychainModel

/// Returns the English sentence that explains a status.
///
/// - Parameters:
///   - status: any status.
///   - reserved: unused; pass nil.
/// - Returns: the sentence, or `OSStatus` and the number for a code without a name.
@discardableResult
public func SecCopyErrorMessageString(
    _ status: OSStatus,
    _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
    let message = SecurityStatus.message(of: SecurityStatus(rawValue: status))
    return (message ?? "OSStatus \(status)") as CFString
}

extension NSError {
    /// Creates an error object: domain `NSOSStatusErrorDomain`, the code, and a sentence.
    package convenience init(status: SecurityStatus, message: String? = nil) {
        let sentence = message ?? SecurityStatus.message(of: status) ?? status.description
        self.init(
            domain: NSOSStatusErrorDomain,
            code: Int(status.rawValue),
            userInfo: [NSLocalizedDescriptionKey: sentence]
        )
    }
}
