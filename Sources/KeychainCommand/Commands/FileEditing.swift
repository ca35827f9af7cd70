import Glibc
import KeychainModel
import ProtectedFiles
import Secrets

// Laws  (1) The plain content is only in memory, and in a file system that is memory, in a folder
//           of this user.
//       (2) What the editor saved is in the protected file, or a message says where it is.
//       (3) A signal that can be caught leaves no folder behind, unless law 2 needs it.

/// `file edit`.
enum FileEditing {
    /// The longest name that leaves room for what is added to it, in bytes.
    private static let nameLimit = 200

    /// A file that is lent to an editor.
    private struct Loan {
        /// As whoever gave the command calls it.
        let path: String
        let file: FileContainer
        let replaced: ReplacedFile
        let editor: String
        let context: CommandContext
    }

    /// Lends the content to an editor and stores what it saves.
    @Sendable static func run(_ path: String, _ run: FileRun) throws(CommandFailure) {
        let context = run.context
        try FileKind.requireRegular(path)?.requireOneName(path)
        try context.requireOutsideKeychain(path)
        try context.tellLeftEdits()
        let editor = ["VISUAL", "EDITOR"].compactMap { context.environment[$0] }.first ?? "vi"
        // Whoever comes while the editor runs gets an error, so nobody's change is lost.
        let replaced = try context.openReplaced(path)
        guard let file = replaced.container else { return }
        let loan = Loan(
            path: path,
            file: file,
            replaced: replaced,
            editor: editor,
            context: context
        )
        let before = try content(of: loan)
        if let signal = try edit(loan, before) {
            // Now that nothing is left behind, whoever sent it gets what they wanted.
            kill(getpid(), signal)
        }
    }

    /// - Returns: A signal that came meanwhile and is to end this process.
    private static func edit(
        _ loan: Loan,
        _ before: borrowing Secret
    ) throws(CommandFailure) -> Int32? {
        let keys = IgnoredKeys()
        defer { keys.restore() }
        let held = HeldSignals([SIGTERM, SIGHUP], and: [SIGCHLD])
        defer { held.release() }
        let folder = try EditFolder()
        let copy = folder.path + "/" + name(for: loan.file.path)
        var keeps = false
        defer { if !keeps { loan.context.clear(folder) } }
        try CommandFailure.wrapping(try OutputFile(path: copy, isSecret: true).write(before))
        do throws(CommandFailure) {
            let end = try EditorProcess(loan.editor, copy, held, keys).wait()
            if end == .failed {
                throw .unmet("the editor failed; the file is as it was: \(loan.editor)")
            }
            guard access(copy, F_OK) == 0 else {
                throw .unmet("the editor removed its copy; the file is as it was: \(loan.editor)")
            }
            let after = try CommandFailure.wrapping(try InputFile.read(copy))
            if !after.constantTimeEquals(before) {
                try requireWhole(end)
                try store(after, loan)
            }
            guard case .interrupted(let signal, _) = end else { return nil }
            return signal
        } catch {
            let isThere = access(copy, F_OK) == 0
            // Only an empty folder can be removed so: an editor may have renamed the copy.
            keeps = isThere ? !EditFolder.isUnchanged(copy, before) : rmdir(folder.path) != 0
            if keeps { loan.context.tellUnstored(in: isThere ? copy : folder.path) }
            throw error
        }
    }

    /// An editor that a signal ended may have been in the middle of writing.
    private static func requireWhole(_ end: EditorProcess.End) throws(CommandFailure) {
        if case .interrupted(_, hasSucceeded: false) = end {
            throw .unmet("a signal ended the editor; the file is as it was")
        }
    }

    /// The end of the file's name: an editor knows the kind by it.
    private static func name(for path: String) -> String {
        var name = ResolvedPath.name(of: path)
        while name.utf8.count > nameLimit { name.removeFirst() }
        return name.isEmpty ? "content" : name
    }

    private static func store(
        _ content: borrowing Secret,
        _ loan: Loan
    ) throws(CommandFailure) {
        let losses = try loan.context.filing(loan.path) { () throws(FileFailure) in
            let new = try NewFile(over: loan.replaced, nil, try loan.context.source())
            try content.withUnsafeBytes { bytes throws(FileFailure) in
                try new.container.write(bytes, at: 0)
            }
            try new.publish()
            return new.losses
        }
        try loan.context.tell(losses, of: loan.path)
    }

    private static func content(of loan: Loan) throws(CommandFailure) -> Secret {
        guard loan.file.byteCount <= InputFile.byteCountLimit else {
            let reason = "\(loan.path) is too large to edit: at most 16 MiB"
            throw .keychain(KeychainError(.dataTooLarge, reason))
        }
        return try loan.context.filing(loan.path) { () throws(FileFailure) in
            try Secret(byteCount: loan.file.byteCount) { bytes throws(FileFailure) in
                _ = try loan.file.read(into: bytes, at: 0)
            }
        }
    }
}
