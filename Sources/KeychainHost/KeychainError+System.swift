import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

extension KeychainError {
    /// Creates the error for the present `errno`; call it right after the system call.
    package static func failed(_ operation: String, _ path: String) -> KeychainError {
        KeychainError(.system(operation: operation, path: path, code: errno))
    }
}
