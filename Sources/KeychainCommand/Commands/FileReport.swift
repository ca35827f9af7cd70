import KeychainMessages
import KeychainModel
import ProtectedFiles

/// `file status`.
enum FileReport {
    private typealias Row = (name: String, value: Value)

    private enum Value {
        case text(String)
        case flag(Bool)
        case number(Int)

        var words: String {
            switch self {
            case .text(let text): text
            case .flag(let flag): flag ? "yes" : "no"
            case .number(let number): "\(number)"
            }
        }

        var json: JSONValue {
            switch self {
            case .text(let text): .text(text)
            case .flag(let flag): .flag(flag)
            case .number(let number): .number(Int64(number))
            }
        }
    }

    /// Describes a file or directory: the facts that need its key, and those that do not.
    @Sendable static func run(_ path: String, _ run: FileRun) throws(CommandFailure) {
        let probe = try run.context.filing(path) { () throws(FileFailure) in
            try BackingProbe(path)
        }
        let members =
            try RealPath.isDirectory(path) ? directory(path) : file(path, run.context)
        let isEncrypted = if case .active = probe.encryption { true } else { false }
        let rows: [Row] =
            [("path", .text(path))] + members
            + [("fscrypt", .flag(isEncrypted)), ("about fscrypt", .text(probe.reason))]
        if run.arguments.has(.json) {
            let pairs = rows.map { ($0.name.camelCased, $0.value.json) }
            run.descriptions.append(.object(Dictionary(uniqueKeysWithValues: pairs)))
        } else {
            try run.context.print(TextTable.page(rows.map { [$0.name, $0.value.words] }))
        }
    }

    @Sendable static func end(_ run: FileRun) throws(CommandFailure) {
        guard run.arguments.has(.json) else { return }
        try run.context.print(JSONValue.list(run.descriptions).page)
    }

    private static func directory(_ path: String) -> [Row] {
        let stated = DirectoryClass.stated(by: path)
        let found = DirectoryClass.inherited(by: path + "/file")
        let origin = stated == nil ? "from above" : "stated here"
        return [("new files", .text(found.name)), ("origin", .text(origin))]
    }

    private static func file(
        _ path: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> [Row] {
        guard FileContainer.isProtected(path) else { return [("protected", .flag(false))] }
        let key = try context.filing(path) { () throws(FileFailure) in
            try FileContainer.examine(path)
        }
        let set = key.keySet.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let plain: [Row] = [
            ("protected", .flag(true)), ("class", .text(key.fileClass.name)),
            ("access group", .text(key.group)), ("key set", .text(set.joined())),
        ]
        do throws(CommandFailure) {
            let file = try context.open(path, isWritable: false)
            let newest = context.newestKeySet(for: file).map { $0 == file.keySet }
            return plain + (newest.map { [("newest keys", .flag($0))] } ?? []) + [
                ("opens", .flag(true)), ("bytes", .number(file.byteCount)),
                ("excluded from backup", .flag(file.isExcludedFromBackup)),
            ]
        } catch { return plain + [("opens", .flag(false)), ("because", .text(error.message))] }
    }
}

extension CommandContext {
    /// Returns the key set of a new file with the same class; nil if the keychain cannot tell now.
    fileprivate func newestKeySet(for file: FileContainer) -> [UInt8]? {
        guard let endpoint = try? connected() else { return nil }
        let request = FileKeyRequest.make(file.fileClass, file: file.identifier, group: file.group)
        guard case .made(let key, _)? = try? endpoint.send(request) else { return nil }
        return key.keySet
    }
}

extension String {
    /// The words in camel case: `access group` becomes `accessGroup`.
    fileprivate var camelCased: String {
        let words = split(separator: " ")
        return words.dropFirst().reduce(String(words.first ?? "")) { text, word in
            text + word.prefix(1).uppercased() + word.dropFirst()
        }
    }
}
