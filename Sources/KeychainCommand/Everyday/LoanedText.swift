import Glibc
import KeychainModel
import Secrets

// Laws  (1) The text is only in memory, and in a file system that is memory, in a folder of this
//           user.
//       (2) What the editor saved is stored, or a message says where it is.

/// A text that an editor is lent.
struct LoanedText {
    /// What the editor's file is called.
    let name: String
    let context: CommandContext

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
        try context.tellLeftEdits()
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
        var keeps = false
        defer { if !keeps { context.clear(folder) } }
        try CommandFailure.wrapping(try OutputFile(path: copy, isSecret: true).write(before))
        do throws(CommandFailure) {
            switch try EditorProcess(editor, copy, held, keys).wait() {
            case .succeeded: break
            case .failed: throw .unmet("the editor failed, and nothing was changed: \(editor)")
            case .interrupted(let signal, _):
                keeps = !EditFolder.isUnchanged(copy, before)
                if keeps { context.tellUnstored(in: copy) }
                return signal
            }
            let after = try CommandFailure.wrapping(try InputFile.read(copy))
            if !after.constantTimeEquals(before) { try store(after) }
            return nil
        } catch {
            keeps = !EditFolder.isUnchanged(copy, before)
            if keeps { context.tellUnstored(in: copy) }
            throw error
        }
    }
}

/// An item's attributes as lines of text: a name, a colon, the value.
enum AttributeText {
    private static let head = """
        # Change what is behind a colon. The keychain gets it when you save and leave.
        # In a value, \\n is a line end and \\\\ a backslash.

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
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let option = options.first(where: { name(of: $0) == parts[0] }),
                let target = option.target
            else {
                let names = options.map(name).joined(separator: ", ")
                throw .input("a line has to begin with one of these and a colon: \(names)")
            }
            let value = unescaped(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1])
            guard value != self.value(of: option, in: item) else { continue }
            guard let new = target.value(of: value) else {
                throw .input("invalid value for \(parts[0]): give \(target.expectation)")
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

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func unescaped(_ value: Substring) -> String {
        var text = ""
        var rest = value
        while let next = rest.popFirst() {
            guard next == "\\", let escaped = rest.popFirst() else {
                text.append(next)
                continue
            }
            text.append(escaped == "n" ? "\n" : escaped)
        }
        return text
    }
}
