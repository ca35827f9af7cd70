import Glibc
import KeychainModel

@_implementationOnly import CFileFacts

/// The class that files in a directory get if they name none.
///
/// It is an extended attribute with Apple's name of the class, such as
/// `NSFileProtectionComplete`.
package enum DirectoryClass {
    static let attribute = "user.keychain.file-class"

    /// The class that a directory states; nil if it states none.
    package static func stated(by directory: String) -> FileClass? {
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = file_attribute(directory, attribute, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return FileClass(appleName: String(decoding: buffer[..<count], as: UTF8.self))
    }

    /// States a class, or none any more.
    ///
    /// - Throws: `system` with ENOTSUP if the file system has no such attributes.
    package static func set(_ fileClass: FileClass?, of directory: String) throws(FileFailure) {
        if let fileClass {
            let name = Array(fileClass.appleName.utf8)
            guard file_set_attribute(directory, attribute, name, name.count) == 0 else {
                throw .last("given a class", directory)
            }
        } else if file_remove_attribute(directory, attribute) != 0, errno != ENODATA {
            throw .last("given a class", directory)
        }
    }

    /// The class of a new file: what the nearest directory above it states, else the default.
    ///
    /// A directory of another user than root and this one does not count.
    package static func inherited(by path: String) -> FileClass {
        nearest(above: path) ?? .default
    }

    /// The same for a new file in an open directory.
    static func inherited(in directory: OpenDirectory) -> FileClass {
        nearest(from: directory.presentPath ?? directory.path) ?? .default
    }

    /// What the nearest directory above a file states; nil if none states a class.
    package static func nearest(above path: String) -> FileClass? {
        nearest(from: ResolvedPath.directory(of: path))
    }

    private static func nearest(from path: String) -> FileClass? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var directory = String(cString: resolved)
        while true {
            if isTrusted(directory), let found = stated(by: directory) { return found }
            guard directory != "/" else { return nil }
            directory = ResolvedPath.directory(of: directory)
        }
    }

    private static func isTrusted(_ directory: String) -> Bool {
        var facts = stat()
        return stat(directory, &facts) == 0 && (facts.st_uid == 0 || facts.st_uid == geteuid())
    }
}

extension FileClass {
    /// Apple's name, such as `NSFileProtectionComplete`.
    package var appleName: String { "NSFileProtection" + name }

    package init?(appleName name: String) {
        guard let found = Self.allCases.first(where: { $0.appleName == name }) else { return nil }
        self = found
    }
}
