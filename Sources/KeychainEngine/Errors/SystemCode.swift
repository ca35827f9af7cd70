import Glibc
import KeychainModel

/// The keychain status and reason for an `errno`.
enum SystemCode {
    static func status(of code: Int32) -> SecurityStatus {
        switch code {
        case ENOSPC, EDQUOT: .diskFull
        case EROFS, EACCES, EPERM: .readOnly
        case ENOMEM: .allocate
        case EIO: .io
        default: .notAvailable
        }
    }

    static func reason(_ operation: String, _ path: String, _ code: Int32) -> String {
        "\(operation) \(path): \(String(cString: strerror(code)))"
    }
}
