import Glibc

/// The place of a file: a name in a directory that stays open, even if its path changes.
package struct FilePlace {
    package let path: String
    let directory: OpenDirectory
    let name: String

    /// Opens the directory; a link with the name is itself the place, not its target.
    ///
    /// - Throws: `system`; `inKeychain` for a file in the directory of a keychain, which could
    ///   never open its own files again.
    init(_ path: String) throws(FileFailure) {
        self.path = path
        name = ResolvedPath.name(of: path)
        guard !["", ".", ".."].contains(name) else {
            throw .system(path, verb: "created", code: EISDIR)
        }
        do throws(FileFailure) {
            directory = try OpenDirectory(ResolvedPath.directory(of: path))
        } catch {
            guard case .system(_, _, let code) = error else { throw error }
            throw .system(path, verb: "created", code: code)
        }
        guard !directory.hasKeychain else { throw .inKeychain(path) }
    }

    func open(isWritable: Bool) throws(FileFailure) -> RawFile {
        try directory.open(name, isWritable: isWritable)
    }

    /// Whether the name is that of a file, and not of a link to it.
    func names(_ file: RawFile) throws(FileFailure) -> Bool { try directory.names(file, name) }

    /// Waits until the names are durable.
    func synchronize() throws(FileFailure) {
        do throws(FileFailure) { try directory.synchronize() } catch {
            guard case .system(_, _, let code) = error else { throw error }
            throw .system(path, verb: "made durable, but has its new content", code: code)
        }
    }
}

/// Operations on paths as the system sees them.
///
/// A slash is a byte: Swift would combine it with an accent at the start of a name.
package enum ResolvedPath {
    private static let slash = UInt8(ascii: "/")

    /// Returns the path without links.
    ///
    /// - Throws: `system`: ENOENT if there is no file; EILSEQ if the path is not UTF-8 and could be
    ///   confused with another file.
    package static func of(_ path: String) throws(FileFailure) -> String {
        guard let resolved = realpath(path, nil) else { throw .last("opened", path) }
        defer { free(resolved) }
        guard let exact = String(validatingCString: resolved) else {
            throw .system(path, verb: "opened", code: EILSEQ)
        }
        // The path that /proc shows for a deleted file may be that of another file.
        var (facts, others) = (stat(), stat())
        guard stat(path, &facts) == 0, stat(exact, &others) == 0,
            FileIdentity(facts) == FileIdentity(others)
        else { throw .system(path, verb: "opened", code: ENOENT) }
        return exact
    }

    /// Returns the path without links, also for a file that does not exist yet: the target of a
    /// dangling link is the path of the new file.
    ///
    /// - Throws: The same errors as ``of(_:)``; ELOOP.
    package static func ofNew(_ path: String) throws(FileFailure) -> String {
        var path = path
        for _ in 0..<40 {
            do throws(FileFailure) { return try of(path) } catch {
                guard case .system(_, _, ENOENT) = error else { throw error }
            }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { return path }
            let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
            guard let target = String(validating: bytes, as: UTF8.self) else {
                throw .system(path, verb: "opened", code: EILSEQ)
            }
            path = target.utf8.first == slash ? target : directory(of: path) + "/" + target
        }
        throw .system(path, verb: "opened", code: ELOOP)
    }

    /// Returns the part before the last slash.
    package static func directory(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<end]))
    }

    /// Returns the part behind the last slash.
    package static func name(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return path }
        return String(Substring(path.utf8[end...].dropFirst()))
    }
}
