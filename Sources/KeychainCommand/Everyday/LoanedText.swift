import Glibc
import KeychainModel
import Secrets

// Laws  (1) The text is only in memory, and in a file system that is memory, in a folder of this
//           user.
//       (2) What the editor saved is stored, or a message says where it is.
//       (3) A signal that can be caught leaves no folder behind, unless law 2 needs it.

/// A text that an editor is lent.
struct LoanedText {
    /// What the editor's file is called; the end of a longer name, by which an editor knows the
    /// kind.
    let name: String
    let context: CommandContext

    /// The longest name that leaves room for what is added to it, in bytes.
    private static let nameLimit = 200

    init(name: String, context: CommandContext) {
        var name = name
        while name.utf8.count > Self.nameLimit { name.removeFirst() }
        self.name = name.isEmpty ? "content" : name
        self.context = context
    }

    /// Lends the text to `$VISUAL` or `$EDITOR`, and stores what it saves.
    ///
    /// - Parameters:
    ///   - before: The text.
    ///   - store: Gets the new text if it is another one.
    /// - Throws: What `store` throws; `unmet` if the editor fails.
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
            // Now that nothing is left behind, whoever sent it gets what they wanted.
            kill(getpid(), signal)
        }
    }

    /// - Returns: A signal that came meanwhile and is to end this process.
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

    /// An editor that a signal ended may have been in the middle of writing, or have put what was
    /// not saved into a file of its own.
    private func requireWhole(_ end: EditorProcess.End) throws(CommandFailure) {
        if case .interrupted(_, hasSucceeded: false) = end {
            throw .unmet("a signal ended the editor, and nothing was changed")
        }
    }

    /// Says where something is; where the terminal is gone, the next edit does.
    private func tell(_ place: String, _ isChanged: Bool) {
        let what = isChanged ? "the changes are not stored; they are" : "what the editor left is"
        try? context.note("\(what) in \(place)")
    }

    private func clear(_ folder: EditFolder) {
        for path in folder.clear() {
            try? context.note("\(path) cannot be removed, and may have the plain content")
        }
    }

    /// Whether the copy, which could be lost, has nothing new.
    private func isUnchanged(_ folder: EditFolder, _ before: borrowing Secret) -> Bool {
        do throws(KeychainError) {
            return try folder.read(name).constantTimeEquals(before)
        } catch { return false }
    }
}

/// An item's attributes as lines of text: a name, a colon, the value.
enum AttributeText {
    private static let head = """
        # Change what is behind a colon. The keychain gets it when you save and leave.
        # In a value, \\n is a line end, \\r a return and \\\\ a backslash.

        """

    /// The lines of those options that the item's class has.
    static func text(_ item: AttributeValues, _ options: [CommandOption]) -> String {
        head + options.map { "\(name(of: $0)): \(escaped(value(of: $0, in: item)))\n" }.joined()
    }

    /// What the text changes; lines that are gone change nothing.
    ///
    /// - Throws: `CommandFailure.input` for a line that is none of these.
    static func changes(
        _ text: String,
        _ item: AttributeValues,
        _ options: [CommandOption]
    ) throws(CommandFailure) -> AttributeDictionary? {
        var changes: AttributeDictionary = [:]
        var isChanged = false
        for line in lines(of: text) where line.first != "#" {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let word = String(parts[0])
            guard parts.count == 2, let option = options.first(where: { name(of: $0) == word }),
                let target = option.target
            else {
                let names = options.map(name).joined(separator: ", ")
                throw .input("a line has to begin with one of these and a colon: \(names)")
            }
            let value = unescaped(parts[1].first == " " ? parts[1].dropFirst() : parts[1])
            let before = self.value(of: option, in: item)
            guard !value.utf8.elementsEqual(before.utf8) else { continue }
            guard let new = target.value(of: value) else {
                throw .input("invalid value for \(word): give \(target.expectation)")
            }
            changes[target.attribute] = new
            isChanged = true
        }
        return isChanged ? changes : nil
    }

    private static func name(of option: CommandOption) -> String {
        String(option.spellings[0].dropFirst("--set-".count))
    }

    private static func value(of option: CommandOption, in item: AttributeValues) -> String {
        guard let attribute = option.target?.attribute, case .string(let text)? = item[attribute]
        else { return "" }
        return attribute == .accessible ? ItemJSON.accessibility(text) : text
    }

    /// The lines, whether the editor ends them with a line end or with a return before it.
    private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "\n").map { $0.last == "\r" ? $0.dropLast() : $0 }
            .filter { !$0.isEmpty }
    }

    // Scalars, because a combining mark would hide a backslash, and a return a line end.
    private static let escapes: [(scalar: Unicode.Scalar, letter: Unicode.Scalar)] = [
        ("\\", "\\"), ("\n", "n"), ("\r", "r"),
    ]

    private static func escaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            guard let escape = escapes.first(where: { $0.scalar == scalar }) else {
                text.append(scalar)
                continue
            }
            text.append(contentsOf: ["\\", escape.letter])
        }
        return String(text)
    }

    private static func unescaped(_ value: Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        var rest = value
        while let next = rest.popFirst() {
            guard next == "\\", let letter = rest.popFirst() else {
                text.append(next)
                continue
            }
            text.append(escapes.first { $0.letter == letter }?.scalar ?? letter)
        }
        return String(text)
    }
}
