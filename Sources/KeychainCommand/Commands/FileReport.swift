import KeychainModel
import ProtectedFiles

/// `file status`.
enum FileReport {
    /// Tells what is known of a file or directory, with its key and without.
    @Sendable static func run(
        _ path: String,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let probe = try context.filing { () throws(FileFailure) in try BackingProbe(path) }
        let members =
            try RealPath.isDirectory(path)
            ? directory(path) : file(path, context)
        let all =
            [("path", path)] + members + [("protection by", "container"), ("why", probe.reason)]
        guard arguments.has(.json) else {
            return try context.print(TextTable.page(all.map { [$0.0, $0.1] }))
        }
        let typed: Set = ["opens", "bytes", "in backups"]
        let pairs = all.map { name, text in
            (name.camelCased, typed.contains(name) ? json(text) : .text(text))
        }
        try context.print(JSONValue.object(Dictionary(uniqueKeysWithValues: pairs)).page)
    }

    /// Numbers and truth values as such.
    private static func json(_ text: String) -> JSONValue {
        switch text {
        case "yes": .flag(true)
        case "no": .flag(false)
        default: Int64(text).map { .number($0) } ?? .text(text)
        }
    }

    private static func directory(_ path: String) -> [(String, String)] {
        let stated = DirectoryClass.stated(by: path)
        let found = DirectoryClass.inherited(by: path + "/file")
        let origin = stated == nil ? "from above" : "stated here"
        return [("new files", found.name), ("origin", origin)]
    }

    private static func file(
        _ path: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> [(String, String)] {
        guard FileContainer.isProtected(path) else { return [("class", "not protected")] }
        let key = try context.filing { () throws(FileFailure) in try FileContainer.examine(path) }
        let set = key.keySet.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let plain = [
            ("class", key.fileClass.name), ("access group", key.group), ("key set", set.joined()),
        ]
        do throws(CommandFailure) {
            let file = try context.open(path, isWritable: false)
            let isExcluded = file.isExcludedFromBackup ? "no" : "yes"
            return plain + [
                ("opens", "yes"), ("bytes", "\(file.byteCount)"), ("in backups", isExcluded),
            ]
        } catch { return plain + [("opens", "no"), ("because", error.message)] }
    }
}

extension String {
    /// `access group` as `accessGroup`.
    fileprivate var camelCased: String {
        let words = split(separator: " ")
        return words.dropFirst().reduce(String(words.first ?? "")) { text, word in
            text + word.prefix(1).uppercased() + word.dropFirst()
        }
    }
}
