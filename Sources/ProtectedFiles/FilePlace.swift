import Glibc

/// Where a file is: a name in a directory, which stays the same one whatever becomes of its path.
package struct FilePlace {
    package let path: String
    let directory: OpenDirectory
    let name: String

    /// Opens the directory; a link that has the name is the place, and not what it leads to.
    ///
    /// - Throws: `system`; `inKeychain` for a file beside a keychain, which could never open its
    ///   own files again.
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

    /// Whether a file has the name, itself and not through a link.
    func names(_ file: RawFile) throws(FileFailure) -> Bool { try directory.names(file, name) }

    /// Waits until the names are durable.
    func synchronize() throws(FileFailure) {
        do throws(FileFailure) { try directory.synchronize() } catch {
            guard case .system(_, _, let code) = error else { throw error }
            throw .system(path, verb: "made durable, but has its new content", code: code)
        }
    }
}

/// Paths as the system sees them.
///
/// A slash is a byte: Swift joins it with an accent at the start of a name to another character.
package enum ResolvedPath {
    private static let slash = UInt8(ascii: "/")

    /// The path without links.
    ///
    /// - Throws: `system`: ENOENT if nothing is there; EILSEQ if it is no UTF-8, so that no other
    ///   file can be taken for it.
    package static func of(_ path: String) throws(FileFailure) -> String {
        guard let resolved = realpath(path, nil) else { throw .last("opened", path) }
        defer { free(resolved) }
        guard let exact = String(validatingCString: resolved) else {
            throw .system(path, verb: "opened", code: EILSEQ)
        }
        // The path that /proc shows for a deleted file may be that of another one.
        var (facts, others) = (stat(), stat())
        guard stat(path, &facts) == 0, stat(exact, &others) == 0,
            FileIdentity(facts) == FileIdentity(others)
        else { throw .system(path, verb: "opened", code: ENOENT) }
        return exact
    }

    /// The path without links, also where nothing is yet: a link to nothing leads to what is made.
    ///
    /// - Throws: as ``of(_:)``; ELOOP.
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

    /// What is before the last slash.
    package static func directory(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<end]))
    }

    /// What is behind the last slash.
    package static func name(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return path }
        return String(Substring(path.utf8[end...].dropFirst()))
    }
}
