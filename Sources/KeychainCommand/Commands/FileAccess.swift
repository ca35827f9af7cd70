import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import ProtectedFiles

extension CommandContext {
    /// Returns a source of file keys from this command's keychain.
    func fileKeys() throws(CommandFailure) -> FileKeySource {
        let endpoint = try connected()
        return FileKeySource { request throws(KeychainError) in try endpoint.send(request) }
    }

    /// Returns the same source, but throws its failures as failures of a file.
    func source() throws(FileFailure) -> FileKeySource {
        do throws(CommandFailure) { return try fileKeys() } catch {
            throw .keychain(error.refusal)
        }
    }

    func open(_ path: String, isWritable: Bool) throws(CommandFailure) -> FileContainer {
        try advising(isWritable) { () throws(CommandFailure) in
            try filing(path) { () throws(FileFailure) in
                try FileContainer.open(RealPath.of(path), isWritable: isWritable, source())
            }
        }
    }

    /// Opens a protected file that a new one will replace.
    func openReplaced(_ path: String) throws(CommandFailure) -> ReplacedFile {
        try advising(true) { () throws(CommandFailure) in
            try filing(path) { () throws(FileFailure) in
                try ReplacedFile(protected: RealPath.of(path), source())
            }
        }
    }

    private func advising<Value>(
        _ isWritable: Bool,
        _ body: () throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(CommandFailure) { return try body() } catch {
            guard isWritable, case .input(let reason) = error else { throw error }
            throw .input("\(reason); keychainctl file protect makes it one")
        }
    }

    /// Runs work on a protected file, and converts its failure.
    ///
    /// - Parameters:
    ///   - path: The file, as the user spelled it.
    ///   - body: The work.
    /// - Returns: The result of the work.
    /// - Throws: The failure of the work, in words that name that path.
    func filing<Value: ~Copyable>(
        _ path: String,
        _ body: () throws(FileFailure) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(FileFailure) { return try body() } catch {
            switch error {
            case .keychain(let refusal): throw .keychain(advised(refusal))
            case .damaged(_, let damage):
                let failure = FileFailure.damaged(path, damage)
                throw .keychain(KeychainError(.decode, failure.description))
            case .system(_, _, EILSEQ): throw RealPath.inexact(path)
            case .system(_, let verb, let code):
                let status: SecurityStatus = [ENOSPC, EDQUOT].contains(code) ? .diskFull : .io
                throw .keychain(KeychainError(status, Self.words(path, verb, code)))
            case .busy:
                let failure = FileFailure.busy(path)
                throw .keychain(KeychainError(.openForWriting, failure.description))
            case .notProtected: throw .input(FileFailure.notProtected(path).description)
            case .unknownVersion: throw .input(FileFailure.unknownVersion(path).description)
            default: throw .input(error.description)
            }
        }
    }

    private static func words(_ path: String, _ verb: String, _ code: Int32) -> String {
        let reason = String(cString: strerror(code))
        // The failing file is a temporary one, whose name the user does not know.
        guard verb == "created" else { return "\(path) cannot be \(verb): \(reason)" }
        return "no file can be made in \(ResolvedPath.directory(of: path)): \(reason)"
    }
}

extension Terminal {
    func fill(_ buffer: inout [UInt8]) throws(KeychainError) -> Int {
        try buffer.lendMutably { bytes throws(KeychainError) in try read(into: bytes) }
    }
}

extension CommandContext {
    /// Refuses a path in a keychain's directory: if a keychain's files were sealed under its own
    /// keys, nothing could open them again.
    func requireOutsideKeychain(_ path: String) throws(CommandFailure) {
        let target = try filing(path) { () throws(FileFailure) in try RealPath.of(path) }
        let directory = ResolvedPath.directory(of: target)
        let own = try? KeychainHome(environment).directory
        let isKeychain = ["/keybag", "/keychain.db"].allSatisfy {
            access(directory + $0, F_OK) == 0
        }
        guard isKeychain || own.map({ RealPath.isSame($0, directory) }) == true else { return }
        throw .input("\(path) is in a keychain's directory; keychainctl file changes nothing there")
    }
}

/// Paths as the system sees them.
enum RealPath {
    /// Returns the path without symbolic links; returns it unchanged if nothing exists there.
    static func of(_ path: String) throws(FileFailure) -> String {
        do throws(FileFailure) { return try ResolvedPath.of(path) } catch {
            var facts = stat()
            // A dangling link has the name: the new file would replace the link, not its target.
            guard case .system(_, _, ENOENT) = error, lstat(path, &facts) != 0 else { throw error }
            // If a directory's name is not UTF-8, later commands could not find the file.
            do throws(FileFailure) {
                _ = try ResolvedPath.of(ResolvedPath.directory(of: path))
            } catch { if case .system(_, _, EILSEQ) = error { throw error } }
            return path
        }
    }

    /// Refuses an argument that was not UTF-8: its repaired form may name another file.
    static func requireExact(_ path: String) throws(CommandFailure) {
        guard path.unicodeScalars.contains("\u{FFFD}") else { return }
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index] else { continue }
            guard String(validatingCString: word) != nil || String(cString: word) != path else {
                throw inexact(path)
            }
        }
    }

    static func inexact(_ path: String) -> CommandFailure {
        .input("\(path) is no UTF-8, or leads to a path that is none; rename it first")
    }

    /// Whether two paths lead to the same file or directory.
    static func isSame(_ path: String, _ other: String) -> Bool {
        var (facts, others) = (stat(), stat())
        return stat(path, &facts) == 0 && stat(other, &others) == 0
            && facts.st_dev == others.st_dev && facts.st_ino == others.st_ino
    }

    static func isDirectory(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}

extension [UInt8] {
    func lend<Value, Failure: Error>(
        _ count: Int,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        }
    }

    mutating func lendMutably<Value, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeMutableBufferPointer { buffer throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Overwrites all bytes with zeros.
    mutating func wipe() {
        lendMutably { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
