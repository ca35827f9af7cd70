import KeychainModel
import Secrets

/// `export`.
enum ExportItems {
    /// Writes the items of a type to a file or to standard output.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let type = try arguments.choice(.itemType, "-t", of: ExportedItems.types) ?? "all"
        let named = try arguments.choice(.format, "-f", of: ExportFormat.allCases.map(\.rawValue))
        try context.noteIneffective(arguments)
        let filter = try arguments.attributes(of: OptionTable.exportItems)
        var reach = OutOfReach()
        var items = try ExportedItems(type, where: filter, context, &reach)
        guard items.count > 0 || reach.isEmpty else {
            return try reach.finish(context, "nothing was exported")
        }
        let format = named.flatMap(ExportFormat.init) ?? .default(for: items)
        let publicKeyCount = format == .pkcs12 ? items.removePublicKeys() : 0
        try tellLeftOut(items, publicKeyCount, context)
        try checkDestination(items, format, arguments, context)
        let isWrapped = format == .pkcs12 || (arguments.has(.wrapped) && items.hasPrivateKeys)
        let writer = ExportWriter(
            format: format,
            isArmored: arguments.has(.pem),
            passphrase: isWrapped ? try Passphrase(arguments, context).new() : nil
        )
        let page = try writer.page(of: items)
        guard let path = arguments[.outputFile], path != "-" else {
            try context.print(page)
            return try reach.finish(context)
        }
        let file = OutputFile(path: path, isSecret: isSecret(items, format))
        try CommandFailure.wrapping(try file.write(page.joined.secret))
        let count = items.count
        try context.tell(Page(line: count == 1 ? "1 item exported." : "\(count) items exported."))
        try reach.finish(context)
    }

    private static func isSecret(_ items: ExportedItems, _ format: ExportFormat) -> Bool {
        items.hasPrivateKeys || format == .pkcs12
    }

    /// Reports the items that are not exported.
    ///
    /// - Throws: `errSecKeyIsSensitive` or `errSecItemNotFound` if no item is left to write.
    private static func tellLeftOut(
        _ items: ExportedItems,
        _ publicKeyCount: Int,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard items.count > 0 else {
            if items.sensitiveCount > 0 {
                let reason = "the key was stored as not extractable; it stays in the keychain"
                throw .keychain(KeychainError(.keyIsSensitive, reason))
            }
            let reason = "no item matches, so there is nothing to export"
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
        let left: [(count: Int, what: String)] = [
            (items.sensitiveCount, "private keys, not extractable"),
            (items.otherCount, "symmetric keys and others that have no such form"),
            (publicKeyCount, "public keys, for which pkcs12 has no place"),
        ]
        for (count, what) in left where count > 0 {
            try context.note("note: left out: \(what) (\(count))")
        }
    }

    /// Refuses to write binary data to a terminal, or secrets that the options do not name.
    private static func checkDestination(
        _ items: ExportedItems,
        _ format: ExportFormat,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments[.outputFile] == nil, context.terminal.outputIsTerminal else { return }
        let isText = arguments.has(.pem) || format == .pemseq
        guard isText, !isSecret(items, format) else {
            throw .usage("missing option: -o file, or -o - to write to this terminal")
        }
    }
}
