import Glibc
import KeychainModel

/// The durable renaming of a complete and durable file to its final name.
package enum DurableRename {
    /// Renames a file, and replaces any file of that name.
    ///
    /// - Parameters:
    ///   - unfinished: The present name of the file.
    ///   - path: The new name, in the same directory.
    /// - Throws: The status of the system error.
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
