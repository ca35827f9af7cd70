import KeyRepresentation
import KeychainModel

/// `find-key`.
enum FindKey {
    /// Shows every matching key.
    ///
    /// Shows at most the public half of its bytes.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var filter = try arguments.attributes(of: OptionTable.findKey)
        if let name = try arguments.choice(.keyType, "-t", of: KeyTypeName.classNames) {
            filter[.keyClass] = KeyTypeName.keyClass(named: name).map(AttributeValue.number)
        }
        let keys: [QueryKey] = arguments.has(.pem) ? [.returnReference] : []
        let listing = try context.listing(of: .key, where: filter, returning: keys)
        var reach = OutOfReach()
        for item in listing.outOfReach { reach.add(item) }
        let found = listing.items
        guard !found.isEmpty || !reach.isEmpty else {
            throw .keychain(KeychainError(.itemNotFound, "no key matches the options"))
        }
        if arguments.has(.json) {
            let objects = found.map { JSONValue.object(KeyJSON.object($0)) }
            try context.print(JSONValue.list(objects + reach.items.map(\.json)).page)
        } else if arguments.has(.pem) {
            try printPublicKeys(of: found, context)
        } else {
            let dump = ItemDump(location: try context.location())
            for item in found { try context.print(dump.page(of: item, .key)) }
        }
        try reach.finish(context)
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
            try context.note(
                "note: left out, because they have no public half: \(found.count - texts.count)"
            )
        }
    }
}
