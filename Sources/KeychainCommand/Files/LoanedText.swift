import Glibc
import KeychainModel
import Secrets

// Laws  (1) The text is only in memory, and in a file system in memory, in a folder of this user.
//       (2) The editor's text is stored, or a message names its path.
//       (3) A signal that can be caught leaves no folder behind, unless law 2 needs it.

/// A text in an editor.
struct LoanedText {
    /// The name of the editor's file.
    ///
    /// Of a long name it is the end, which tells the editor the type.
    let name: String
    let context: CommandContext

    /// The longest name, in bytes; an editor can still append to it.
    private static let nameLimit = 200

    init(name: String, context: CommandContext) {
        var name = name
        while name.utf8.count > Self.nameLimit { name.removeFirst() }
        self.name = name.isEmpty ? "content" : name
        self.context = context
    }

    /// Opens the text in `$VISUAL` or `$EDITOR`, and stores the saved text.
    ///
    /// - Parameters:
    ///   - before: The text.
    ///   - store: Stores the new text; called only if the text has changed.
    /// - Throws: The error of `store`; `unmet` if the editor fails.
    func edit(
        _ before: borrowing Secret,
        _ store: (borrowing Secret) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        for folder in EditFolder.leftovers() {
            try context.note(
                "\(EditFolder.words(folder)); look for what you need in it, then remove it"
            )
        }
        if let signal = try lend(before, store) {
            // Nothing is left behind, so the signal may now end this process.
            kill(getpid(), signal)
        }
    }

    /// Runs the editor and stores its text.
    ///
    /// - Returns: A signal that arrived meanwhile, and that now ends this process.
    private func lend(
        _ before: borrowing Secret,
        _ store: (borrowing Secret) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> Int32? {
        let editor = ["VISUAL", "EDITOR"].compactMap { context.environment[$0] }.first ?? "vi"
        let keys = IgnoredKeys()
        defer { keys.restore() }
        let held = HeldSignals([SIGTERM, SIGHUP], and: [SIGCHLD])
        defer { held.release() }
        let folder = try EditFolder()
        let copy = folder.path + "/" + name
        var (keeps, isRunning) = (false, false)
        defer { if !keeps { clear(folder) } }
        try CommandFailure.wrapping(try OutputFile(path: copy, isSecret: true).write(before))
        do throws(CommandFailure) {
            let end = try EditorProcess(editor, copy, held, keys).wait()
            if case .running = end { isRunning = true }
            try requireEnded(end, editor)
            guard folder.has(name) else {
                throw .unmet("the editor removed its copy, and nothing was changed: \(editor)")
            }
            let after = try CommandFailure.wrapping(try folder.read(name))
            let isChanged = !after.constantTimeEquals(before)
            if isChanged || folder.hasOthers(than: name) { try requireWhole(end) }
            if isChanged { try store(after) }
            guard case .interrupted(let signal, _) = end else { return nil }
            return signal
        } catch {
            let isChanged = folder.has(name) && !isUnchanged(folder, before)
            keeps = isRunning || isChanged || folder.hasOthers(than: name)
            if keeps { tell(isChanged ? copy : folder.path, isChanged) }
            throw error
        }
    }

    private func requireEnded(
        _ end: EditorProcess.End,
        _ editor: String
    ) throws(CommandFailure) {
        switch end {
        case .succeeded, .interrupted: return
        case .failed: throw .unmet("the editor failed, and nothing was changed: \(editor)")
        case .running: throw .unmet("the editor still runs, and nothing was changed: \(editor)")
        }
    }

    /// Fails if a signal ended the editor: it may have been writing, or have saved the text
    /// elsewhere.
    private func requireWhole(_ end: EditorProcess.End) throws(CommandFailure) {
        if case .interrupted(_, hasSucceeded: false) = end {
            throw .unmet("a signal ended the editor, and nothing was changed")
        }
    }

    /// Reports a path.
    ///
    /// If the terminal is gone, the next edit reports it.
    private func tell(_ place: String, _ isChanged: Bool) {
        let what = isChanged ? "the changes are not stored; they are" : "what the editor left is"
        try? context.note("\(what) in \(place)")
    }

    private func clear(_ folder: EditFolder) {
        for path in folder.clear() {
            try? context.note("\(path) cannot be removed, and may have the plain content")
        }
    }

    /// Whether the copy equals the old text, so that it can be removed.
    private func isUnchanged(_ folder: EditFolder, _ before: borrowing Secret) -> Bool {
        do throws(KeychainError) {
            return try folder.read(name).constantTimeEquals(before)
        } catch { return false }
    }
}
