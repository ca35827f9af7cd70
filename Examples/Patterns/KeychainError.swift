import Foundation
import Security

/// A failed keychain call: the operation, the item and the status, but never the secret.
///
/// The patterns in this folder throw it. Copy it together with them.
struct KeychainError: Error, Equatable, CustomStringConvertible {
    let operation: String
    let item: String
    let status: OSStatus

    init(_ operation: String, _ item: String, _ status: OSStatus) {
        self.operation = operation
        self.item = item
        self.status = status
    }

    /// Whether the device is locked, or nobody can answer a prompt.
    ///
    /// The item is fine. Try later, and delete nothing.
    var isLocked: Bool { status == errSecInteractionNotAllowed }

    var description: String {
        let message = SecCopyErrorMessageString(status, nil) as String? ?? "unknown"
        return "cannot \(operation) \(item): \(message) (\(status))"
    }
}
