import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

extension KeychainError {
    /// What the last system call left in `errno`; read at once.
    package static func failed(_ operation: String, _ path: String) -> KeychainError {
        KeychainError(.system(operation: operation, path: path, code: errno))
    }
}
