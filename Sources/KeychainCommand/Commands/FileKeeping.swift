import Glibc
import KeychainModel
import ProtectedFiles

/// The verbs of `file` that change keys.
enum FileKeeping {
    @Sendable static func classify(_ path: String, _ run: FileRun) throws(CommandFailure) {
        guard !RealPath.isDirectory(path) else { return try state(path, run) }
        _ = try FileKind.requireRegular(path)
        try run.context.requireOutsideKeychain(path)
        guard case .fileClass(let fileClass)? = run.goal else {
            guard !run.arguments.has(.recursive) else { return }
            throw .usage("inherit is for directories")
        }
        let file = try run.context.open(path, isWritable: true)
        try run.context.filing(path) { () throws(FileFailure) in
            try file.move(to: fileClass)
            try file.close()
        }
    }

    /// Records the class of a directory for new files, or removes the record.
    private static func state(_ path: String, _ run: FileRun) throws(CommandFailure) {
        try RealPath.requireExact(path)
        var fileClass: FileClass?
        if case .fileClass(let stated)? = run.goal { fileClass = stated }
        var facts = stat()
        guard fileClass == nil || stat(path, &facts) != 0 || facts.st_mode & 0o002 == 0 else {
            throw .input("every account can write \(path), so it states no class for its files")
        }
        try run.context.filing(path) { () throws(FileFailure) in
            try DirectoryClass.set(fileClass, of: path)
        }
    }

    @Sendable static func rewrap(_ path: String, _ run: FileRun) throws(CommandFailure) {
        _ = try FileKind.requireRegular(path, "add --recursive for the files in it")
        let file = try run.context.open(path, isWritable: true)
        let keySet = file.keySet
        try run.context.filing(path) { () throws(FileFailure) in
            try file.move(to: file.fileClass)
            try file.close()
        }
        if file.keySet == keySet { run.unchangedCount += 1 } else { run.changedCount += 1 }
    }

    @Sendable static func endRewrap(_ run: FileRun) throws(CommandFailure) {
        let unchanged = run.unchangedCount == 0 ? "" : "; \(run.unchangedCount) had the newest"
        try run.context.print(line: "new keys for \(FileRun.files(run.changedCount))\(unchanged)")
    }

    @Sendable static func remove(_ path: String, _ run: FileRun) throws(CommandFailure) {
        _ = try FileKind.requireRegular(path)
        try run.context.requireOutsideKeychain(path)
        let held = HeldSignals()
        defer { held.release() }
        try run.context.filing(path) { () throws(FileFailure) in
            try FileDestruction.remove(path)
        }
    }
}

/// The size and link count of a regular file, which can be read without its key.
struct FileKind {
    let count: Int
    let linkCount: Int

    /// Refuses a path that is not a regular file.
    ///
    /// - Parameters:
    ///   - path: The path to examine.
    ///   - advice: The advice for a directory.
    /// - Returns: The facts about a regular file; nil if nothing exists at the path.
    /// - Throws: `input` for anything other than a regular file.
    static func requireRegular(
        _ path: String,
        _ advice: String? = nil
    ) throws(CommandFailure) -> FileKind? {
        try RealPath.requireExact(path)
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT, lstat(path, &facts) == 0 else { return nil }
            throw .input("\(path) is a symbolic link that leads to nothing")
        }
        let kind: String
        switch facts.st_mode & S_IFMT {
        case S_IFREG:
            return FileKind(count: Int(facts.st_size), linkCount: Int(facts.st_nlink))
        case S_IFDIR:
            throw .input("\(path) is a directory" + (advice.map { "; \($0)" } ?? ""))
        case S_IFIFO: kind = "a named pipe"
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw .input("\(path) is \(kind), and no regular file")
    }

    static func isStandardInput(_ path: String) -> Bool {
        var (facts, input) = (stat(), stat())
        return stat(path, &facts) == 0 && fstat(STDIN_FILENO, &input) == 0
            && FileIdentity(facts) == FileIdentity(input)
    }

    /// Refuses a file with several hard links: the other names would keep the old content.
    func requireOneName(_ path: String) throws(CommandFailure) {
        guard linkCount != 1 else { return }
        let reason = "\(path) has other names (hard links), which would stay"
        throw .keychain(KeychainError(.io, reason))
    }
}
