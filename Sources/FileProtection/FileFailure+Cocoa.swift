import Foundation
import KeychainModel
import ProtectedFiles

/// The reason why a protected file cannot be used, other than a locked device.
///
/// A locked device is `CocoaError.fileReadNoPermission` or `.fileWriteNoPermission`, as on Apple's
/// platforms.
public enum ProtectedFileError: Error, Equatable, Sendable, LocalizedError {
    /// The file is not a protected file.
    case notProtected(URL)
    /// The file is a device, a pipe, or another kind without content to replace.
    case notRegular(URL)
    /// The content differs from what was written, because of an attack or a disk error.
    case damaged(URL, reason: String)
    /// Another program has the file open.
    case busy(URL)
    /// A later version wrote the file.
    case unknownVersion(URL)
    /// The file was closed, or is open for reading only.
    case notOpen(URL, reason: String)
    /// The name of a class is not one of the four.
    case unknownProtection(String)

    /// A sentence for people.
    public var errorDescription: String? {
        switch self {
        case .notProtected(let url): "\(url.path) is not a protected file"
        case .notRegular(let url): "\(url.path) is not a regular file"
        case .damaged(_, let reason), .notOpen(_, let reason): reason
        case .busy(let url): "another program has \(url.path) open"
        case .unknownVersion(let url): "\(url.path) was written by a later version"
        case .unknownProtection(let name): "\(name) is no class of protected files"
        }
    }
}

extension FileFailure {
    /// Runs a function and converts its failure to Apple's form.
    static func translating<Value>(
        _ url: URL,
        isWriting: Bool,
        _ body: () throws(FileFailure) -> Value
    ) throws -> Value {
        do throws(FileFailure) { return try body() } catch {
            throw error.cocoa(url, isWriting: isWriting)
        }
    }

    private func cocoa(_ url: URL, isWriting: Bool) -> any Error {
        switch self {
        case .keychain(let error):
            return CocoaError(
                isWriting ? .fileWriteNoPermission : .fileReadNoPermission,
                userInfo: [
                    NSFilePathErrorKey: url.path,
                    NSUnderlyingErrorKey: NSError(
                        domain: "NSOSStatusErrorDomain",
                        code: Int(error.status.rawValue),
                        userInfo: [NSLocalizedDescriptionKey: error.reason]
                    ),
                ]
            )
        case .notProtected: return ProtectedFileError.notProtected(url)
        case .inKeychain:
            return CocoaError(
                .fileWriteNoPermission,
                userInfo: [
                    NSFilePathErrorKey: url.path, NSLocalizedFailureReasonErrorKey: description,
                ]
            )
        case .notRegular: return ProtectedFileError.notRegular(url)
        case .unknownVersion: return ProtectedFileError.unknownVersion(url)
        case .damaged: return ProtectedFileError.damaged(url, reason: description)
        case .busy: return ProtectedFileError.busy(url)
        case .closed, .notWritable, .interrupted:
            return ProtectedFileError.notOpen(url, reason: description)
        case .tooLarge: return CocoaError(.fileWriteOutOfSpace)
        case .system(let path, _, let code):
            let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
            guard let found = Self.code(code, isWriting: isWriting) else { return underlying }
            return CocoaError(
                found,
                userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying]
            )
        }
    }

    private static func code(_ code: Int32, isWriting: Bool) -> CocoaError.Code? {
        switch code {
        case ENOENT, ENOTDIR: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
        case EACCES, EPERM: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
        case EEXIST: .fileWriteFileExists
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case ENOMEM: isWriting ? nil : .fileReadTooLarge
        case EROFS: .fileWriteVolumeReadOnly
        case ENOTSUP: .featureUnsupported
        default: nil
        }
    }
}

extension FileClass {
    /// Finds the class with Apple's name.
    init(_ type: FileProtectionType) throws {
        guard let found = FileClass(appleName: type.rawValue) else {
            throw ProtectedFileError.unknownProtection(type.rawValue)
        }
        self = found
    }

    /// Finds the class in the options of a write; nil for none.
    ///
    /// - Throws: `ProtectedFileError.unknownProtection` for bits of several classes.
    init?(_ options: Data.WritingOptions) throws {
        switch options.intersection(.fileProtectionMask) {
        case []: return nil
        case .noFileProtection: self = .none
        case .completeFileProtection: self = .complete
        case .completeFileProtectionUnlessOpen: self = .completeUnlessOpen
        case .completeFileProtectionUntilFirstUserAuthentication:
            self = .completeUntilFirstUserAuthentication
        case let other: throw ProtectedFileError.unknownProtection("option \(other.rawValue)")
        }
    }
}

extension FileProtectionType {
    init(_ fileClass: FileClass) { self.init(rawValue: fileClass.appleName) }
}
