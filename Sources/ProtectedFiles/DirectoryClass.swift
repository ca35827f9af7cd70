import Glibc
import KeychainModel

@_implementationOnly import CFileFacts

/// The class of new files in a directory, for files that name none.
///
/// It is stored as an extended attribute with Apple's name of the class, such as
/// `NSFileProtectionComplete`.
package enum DirectoryClass {
    static let attribute = "user.keychain.file-class"

    /// Returns the class that a directory states; nil if it states none.
    package static func stated(by directory: String) -> FileClass? {
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = file_attribute(directory, attribute, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return FileClass(appleName: String(decoding: buffer[..<count], as: UTF8.self))
    }

    /// States a class for a directory, or removes the statement.
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

    /// Returns the class of a new file: the class that the nearest directory above it states, else
    /// the default.
    ///
    /// A directory of a user other than root and this one does not count. A directory that others
    /// can write counts only if it states a stricter class.
    package static func inherited(by path: String) -> FileClass {
        nearest(above: path) ?? .default
    }

    /// Returns the class of a new file in an open directory, by the same rules.
    static func inherited(in directory: OpenDirectory) -> FileClass {
        nearest(from: directory.presentPath ?? directory.path) ?? .default
    }

    /// Returns the class that the nearest directory above a file states; nil if none states one.
    package static func nearest(above path: String) -> FileClass? {
        nearest(from: ResolvedPath.directory(of: path))
    }

    private static func nearest(from path: String) -> FileClass? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var directory = String(cString: resolved)
        // The strictest class so far of the directories whose statements others can change.
        var strictest: FileClass?
        while true {
            let trust = trust(in: directory)
            if trust != .none, let found = stated(by: directory) {
                let stricter = found.isStricter(than: strictest) ? found : strictest
                if trust == .full { return stricter }
                strictest = stricter
            }
            guard directory != "/" else { break }
            directory = ResolvedPath.directory(of: directory)
        }
        guard let strictest else { return nil }
        return strictest.isStricter(than: .default) ? strictest : .default
    }

    private enum Trust { case none, full, toBeStricter }

    private static func trust(in directory: String) -> Trust {
        var facts = stat()
        guard stat(directory, &facts) == 0, facts.st_uid == 0 || facts.st_uid == geteuid() else {
            return .none
        }
        // A user that may write the directory may state its class, unless it is sticky.
        let isOthers = facts.st_mode & 0o022 != 0 && facts.st_mode & S_ISVTX == 0
        return isOthers ? .toBeStricter : .full
    }
}

extension FileClass {
    fileprivate func isStricter(than other: FileClass?) -> Bool {
        other.map { rawValue < $0.rawValue } ?? true
    }

    /// Apple's name, such as `NSFileProtectionComplete`.
    package var appleName: String { "NSFileProtection" + name }

    package init?(appleName name: String) {
        guard let found = Self.allCases.first(where: { $0.appleName == name }) else { return nil }
        self = found
    }
}
