import KeychainModel

/// `delete-generic-password` and `delete-internet-password`.
struct DeletePassword: Sendable {
    private let kind: PasswordKind

    init(_ kind: PasswordKind) { self.kind = kind }

    /// Deletes one item, the first match, and shows what it was.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let query = ItemQuery(kind: kind, arguments: arguments)
        guard query.hasFilter else { throw .usage("say which item: one filter is the least") }
        let item = try context.firstItem(
            try query.filter(),
            returning: [.returnPersistentReference]
        )
        guard let reference = item.persistentReference else { throw .unexpectedReply }
        let location = try context.location()
        let named: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(kind.itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(reference),
        ]
        _ = try context.send(.delete(named))
        if arguments.has(.json) {
            try context.print(JSONValue.object(ItemJSON.object(item, kind.itemClass)).page)
        } else {
            try context.print(ItemDump(location: location).page(of: item, kind.itemClass))
        }
        try context.tell(Page(line: "password has been deleted."))
    }
}
