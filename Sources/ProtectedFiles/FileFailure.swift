import Cryptography
import Glibc
import KeychainModel

/// The reason why an operation on a protected file failed.
package enum FileFailure: Error, Equatable {
    /// The keychain refused: it is locked, or the file belongs to another group or device.
    case keychain(KeychainError)
    /// The file has no header of a protected file.
    case notProtected(String)
    /// It is in the directory of a keychain, whose own files would never open again.
    case inKeychain(String)
    /// It is a directory, a device or a pipe.
    case notRegular(String)
    /// A later version wrote the file.
    case unknownVersion(String)
    case damaged(String, FileDamage)
    /// Another program has the file open.
    case busy(String)
    /// The file was closed before.
    case closed
    /// The file is open for reading only.
    case notWritable
    /// A flush failed halfway; opening the file again repairs it.
    case interrupted(String)
    /// The content would be longer than 256 TiB.
    case tooLarge
    /// The system refused.
    case system(String, verb: String, code: Int32)

    /// Returns a failure with the system's latest code.
    static func last(_ verb: String, _ path: String) -> FileFailure {
        .system(path, verb: verb, code: errno)
    }
}

/// The damaged part of a file.
package enum FileDamage: Sendable, Equatable {
    /// Both slots.
    case header
    /// The chunk with this number: cut off, changed, or from another place or file.
    case chunk(UInt32)
}

extension FileFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keychain(let error): error.description
        case .notProtected(let path): "\(path) is not a protected file"
        case .inKeychain(let path): "\(path) is in a keychain's directory, and stays as it is"
        case .notRegular(let path): "\(path) is not a regular file"
        case .unknownVersion(let path): "\(path) was written by a later version"
        case .damaged(let path, .header): "\(path) is damaged: its header does not open"
        case .damaged(let path, .chunk(let number)):
            "\(path) is damaged from byte \(UInt64(number) << 16) on, for up to 64 KiB"
        case .busy(let path): "another program has \(path) open"
        case .closed: "the file is closed"
        case .notWritable: "the file is open for reading only"
        case .interrupted(let path): "a change of \(path) was interrupted; open it again"
        case .tooLarge: "a protected file has at most 256 TiB"
        case .system(let path, let verb, let code):
            "\(path) cannot be \(verb): \(String(cString: strerror(code)))"
        }
    }
}

extension FileFailure {
    /// Performs cryptography on the program's own data, whose failure is not damage.
    static func wrapping<Value: ~Copyable>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(FileFailure) -> Value {
        do throws(CryptographyError) { return try body() } catch {
            throw .keychain(KeychainError(.internal, "\(error)"))
        }
    }

    static func asking<Value>(
        _ body: () throws(KeychainError) -> Value
    ) throws(FileFailure) -> Value {
        do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
    }
}
