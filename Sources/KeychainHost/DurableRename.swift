import Glibc
import KeychainModel

/// Gives a file that is complete and durable its name, and makes the name durable.
package enum DurableRename {
    /// Replaces whatever has the name; the file is known under one name or the other at any time.
    ///
    /// - Parameters:
    ///   - unfinished: The name that the file has.
    ///   - path: The one it gets, in the same directory.
    /// - Throws: what the system's code means.
    package static func move(_ unfinished: String, to path: String) throws(KeychainError) {
        guard rename(unfinished, path) == 0 else { throw .failed("rename", unfinished) }
        let directory = directory(of: path)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("open", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("fsync", directory) }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
