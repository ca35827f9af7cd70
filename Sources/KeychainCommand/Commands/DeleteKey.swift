import KeychainModel

/// `delete-key`.
enum DeleteKey {
    /// Deletes one key, or both halves of one pair; fails if more keys match.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var filter = try arguments.attributes(of: OptionTable.findKey)
        if let name = try arguments.choice(.keyType, "-t", of: KeyTypeName.classNames) {
            filter[.keyClass] = KeyTypeName.keyClass(named: name).map(AttributeValue.number)
        }
        let names: [Attribute] = [.applicationLabel, .label, .applicationTag]
        guard names.contains(where: { filter[$0] != nil }) else {
            throw .usage("no filter: name the key, as with -l or -a")
        }
        let keys: [QueryKey] = [.returnPersistentReference]
        let listing = try context.listing(of: .key, where: filter, returning: keys)
        var reach = OutOfReach()
        for item in listing.outOfReach { reach.add(item) }
        let found = listing.items
        guard let first = found.first else {
            try reach.finish(context, "nothing was deleted")
            throw .keychain(KeychainError(.itemNotFound, "no key matches the options"))
        }
        guard reach.isEmpty, found.allSatisfy({ pair(of: $0) == pair(of: first) }) else {
            try reach.tell(context)
            for item in found {
                try context.note("note: this matches: \(item.attributes.words(for: .key))")
            }
            throw .keychain(
                KeychainError(.param, "several keys match: name one by its label's hash, with -a")
            )
        }
        for item in found {
            guard let reference = item.persistentReference else { throw .unexpectedReply }
            try context.delete(.key, reference)
        }
        if arguments.has(.json) {
            let objects = found.map { JSONValue.object(KeyJSON.object($0)) }
            try context.print(JSONValue.list(objects).page)
        }
        try context.tell(
            Page(
                line: found.count == 1 ? "key has been deleted." : "both halves have been deleted."
            )
        )
    }

    /// Returns the attributes that both halves of a pair share.
    private static func pair(of item: ItemDictionary) -> [AttributeValue?] {
        [.applicationLabel, .accessGroup, .synchronizable].map { item.attributes[$0] }
    }
}
