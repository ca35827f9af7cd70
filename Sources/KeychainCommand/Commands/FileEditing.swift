import Glibc
import KeychainModel
import ProtectedFiles
import Secrets

// Laws  (1) The plain content is only in memory, and in a file system that is memory, in a folder
//           of this user.
//       (2) What the editor saved is in the protected file, or a message says where it is.

/// `file edit`.
enum FileEditing {
    private static let name = "content"

    /// Lends the content to an editor and stores what it saves.
    @Sendable static func run(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let editor = ["VISUAL", "EDITOR"].compactMap { context.environment[$0] }.first ?? "vi"
        let target = RealPath.of(path)
        // Whoever comes while the editor runs gets an error, so nobody's change is lost.
        let file = try context.open(target, isWritable: true)
        let folder = try makeFolder()
        let copy = folder + "/" + (target.split(separator: "/").last.map(String.init) ?? name)
        let before = try content(of: file, context)
        var keeps = false
        defer { if !keeps { clear(folder) } }
        try CommandFailure.wrapping(try OutputFile(path: copy, isSecret: true).write(before))
        do throws(CommandFailure) {
            try start(editor, copy)
            let after = try CommandFailure.wrapping(try InputFile.read(copy))
            guard !after.constantTimeEquals(before) else { return }
            try store(after, in: file, target, context)
        } catch {
            keeps = !isUnchanged(copy, before)
            if keeps { try context.note("the changes are not stored; they are in \(copy)") }
            throw error
        }
    }

    /// Whether a copy that could be lost has nothing new.
    private static func isUnchanged(_ copy: String, _ before: borrowing Secret) -> Bool {
        do throws(KeychainError) {
            return try InputFile.read(copy).constantTimeEquals(before)
        } catch { return false }
    }

    private static func store(
        _ content: borrowing Secret,
        in file: FileContainer,
        _ target: String,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try context.filing { () throws(FileFailure) in
            let new = try NewFile(
                target,
                file.fileClass,
                group: file.group,
                replacing: target,
                try context.source()
            )
            try content.withUnsafeBytes { bytes throws(FileFailure) in
                try new.container.write(bytes, at: 0)
            }
            if file.isExcludedFromBackup { try new.container.setExcludedFromBackup(true) }
            try new.publish(replacing: true)
        }
    }

    private static func content(
        of file: FileContainer,
        _ context: CommandContext
    ) throws(CommandFailure) -> Secret {
        guard file.byteCount <= InputFile.byteCountLimit else {
            throw .input("\(file.path) is too large to edit: at most 16 MiB")
        }
        return try context.filing { () throws(FileFailure) in
            try Secret(byteCount: file.byteCount) { bytes throws(FileFailure) in
                _ = try file.read(into: bytes, at: 0)
            }
        }
    }

    /// A folder of mode 0700 in a file system that is memory.
    private static func makeFolder() throws(CommandFailure) -> String {
        guard (try? BackingProbe("/dev/shm"))?.fileSystem == "tmpfs" else {
            throw .input("/dev/shm is no memory file system, so the content cannot be lent")
        }
        var name = Array("/dev/shm/keychainctl-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            throw .input("/dev/shm cannot be written: \(String(cString: strerror(errno)))")
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Runs the editor at this terminal and waits for its end.
    private static func start(_ editor: String, _ copy: String) throws(CommandFailure) {
        // The shell splits the editor's options, as other programs have it do.
        let words = ["sh", "-c", "exec \(editor) \"$1\"", "sh", copy]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ)
        guard code == 0 else { throw .program("/bin/sh cannot be run", isMissing: true) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw .unmet("the editor failed; the file is as it was: \(editor)")
        }
    }

    /// Overwrites and removes the copy and what the editor left beside it.
    private static func clear(_ folder: String) {
        guard let stream = opendir(folder) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = folder + "/" + name
            var facts = stat()
            if lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
                let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
                let zeros = [UInt8](repeating: 0, count: Int(facts.st_size))
                _ = Glibc.write(descriptor, zeros, zeros.count)
                close(descriptor)
            }
            unlink(path)
        }
        closedir(stream)
        rmdir(folder)
    }
}
