import KeychainMessages
import KeychainModel
import Secrets

/// `import`.
enum ImportItems {
    /// The values of `-t`.
    static let types = ["cert", "pub", "priv", "session", "agg"]

    /// The values of `-f`.
    ///
    /// The file's content decides its format, except for `raw`.
    static let formats = ["openssl", "pkcs8", "pkcs12", "pemseq", "x509", "raw"]

    /// The sizes of an AES key in bytes.
    private static let sessionKeyByteCounts: Set<Int> = [16, 24, 32]

    /// Stores everything in a file, or nothing; items that exist already stay unchanged.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let type = try arguments.choice(.itemType, "-t", of: types)
        let format = try arguments.choice(.format, "-f", of: formats)
        let isRaw = format == "raw" || type == "session"
        guard !isRaw || arguments.has(.tag) else {
            throw .usage("missing option: --tag tag, with which programs find a session key")
        }
        var attributes = try arguments.attributes(of: OptionTable.importItems)
        try context.noteIneffective(arguments)
        let contents = try contents(arguments, context, isRaw: isRaw)
        // macOS's scripts import a PKCS#12 file with its key as -t cert.
        try check(contents, format == "pkcs12" ? "agg" : type, context)
        if attributes[.accessGroup] == nil {
            let group = try context.status().defaultAccessGroup
            attributes[.accessGroup] = group.map(AttributeValue.string)
        }
        let plan = try plan(contents, attributes, arguments)
        try store(plan, refusesDuplicates: isRaw, arguments, context)
    }

    private static func contents(
        _ arguments: Arguments,
        _ context: CommandContext,
        isRaw: Bool
    ) throws(CommandFailure) -> ImportedContents {
        let file = try self.file(arguments.operands[0], context)
        guard isRaw else {
            let reader = ContentsReader(passphrase: Passphrase(arguments, context))
            return try reader.contents(of: file.secret)
        }
        guard sessionKeyByteCounts.contains(file.secret.byteCount) else {
            throw .keychain(KeychainError(.param, "an AES key has 16, 24 or 32 bytes"))
        }
        var contents = ImportedContents()
        contents.sessionKey = file
        return contents
    }

    private static func file(
        _ path: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        do throws(KeychainError) {
            return SharedSecret(
                path == "-" ? try InputFile.read(context.terminal) : try InputFile.read(path)
            )
        } catch {
            throw .keychain(error)
        }
    }

    /// Refuses a file without items, or with items of another type than `-t` names.
    private static func check(
        _ contents: ImportedContents,
        _ type: String?,
        _ context: CommandContext
    ) throws(CommandFailure) {
        for label in contents.passedOver {
            try context.note("note: the import skipped a block: \(label)")
        }
        guard !contents.isEmpty else {
            let reason = "the file contains neither keys nor certificates"
            throw .keychain(KeychainError(.unknownFormat, reason))
        }
        let hasPrivateKeys = contents.keys.contains(where: \.isPrivate)
        let hasPublicKeys = contents.keys.contains { !$0.isPrivate }
        let isAsSaid =
            switch type {
            case "cert": contents.keys.isEmpty
            case "pub": contents.certificates.isEmpty && !hasPrivateKeys
            case "priv": contents.certificates.isEmpty && !hasPublicKeys
            default: true
            }
        guard isAsSaid else {
            throw .keychain(
                KeychainError(.param, "the file contains no entry of the type of -t: leave -t out")
            )
        }
    }

    private static func plan(
        _ contents: ImportedContents,
        _ attributes: AttributeDictionary,
        _ arguments: Arguments
    ) throws(CommandFailure) -> ImportPlan {
        try CommandFailure.wrapping(
            try ImportPlan(
                contents,
                attributes: attributes,
                isExtractable: !arguments.has(.nonExtractable)
            )
        )
    }

    /// Stores the plan in one transaction.
    ///
    /// Determines existing items first, only for the report.
    private static func store(
        _ plan: ImportPlan,
        refusesDuplicates: Bool,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var existing = Set<Int>()
        for (index, item) in plan.items.enumerated() where !refusesDuplicates {
            if try context.hasItem(like: item) { existing.insert(index) }
        }
        let rule: DuplicateRule = refusesDuplicates ? .refused : .tolerated
        _ = try context.send(.addAll(plan.items, duplicates: rule))
        let tally = plan.tally(existing: existing)
        guard !arguments.has(.json) else {
            let report: [String: JSONValue] = [
                "imported": tally.imported.json, "existing": tally.existing.json,
            ]
            return try context.print(JSONValue.object(report).page)
        }
        for line in tally.imported.lines("imported", "imported")
            + tally.existing.lines("was there already", "were there already")
        {
            try context.print(line: line)
        }
    }
}

extension ImportedContents.Key {
    fileprivate var isPrivate: Bool {
        if case .publicKey = material { false } else { true }
    }
}
