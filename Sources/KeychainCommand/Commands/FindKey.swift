import KeychainModel
import KeychainReferences

/// `find-key`.
enum FindKey {
    /// Shows every key that matches; of their bytes at most the public half.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var filter = try arguments.attributes(of: OptionTable.findKey)
        if let name = try arguments.choice(.keyType, "-t", of: KeyTypeName.classNames) {
            filter[.keyClass] = KeyTypeName.keyClass(named: name).map(AttributeValue.number)
        }
        let keys: [QueryKey] = arguments.has(.pem) ? [.returnReference] : []
        let found = try context.items(of: .key, where: filter, returning: keys)
        guard !found.isEmpty else {
            throw .keychain(KeychainError(.itemNotFound, "no key matches"))
        }
        if arguments.has(.json) {
            try context.print(JSONValue.list(found.map { .object(KeyJSON.object($0)) }).page)
        } else if arguments.has(.pem) {
            try printPublicKeys(of: found, context)
        } else {
            let dump = ItemDump(location: try context.location())
            for item in found { try context.print(dump.page(of: item, .key)) }
        }
    }

    private static func printPublicKeys(
        of found: [ItemDictionary],
        _ context: CommandContext
    ) throws(CommandFailure) {
        var page = Page()
        let texts = found.compactMap(KeyJSON.publicKey)
        for text in texts { page.append(raw: text) }
        try context.print(page)
        if texts.count < found.count {
            try context.note("note: left out \(found.count - texts.count) without a public half")
        }
    }
}
