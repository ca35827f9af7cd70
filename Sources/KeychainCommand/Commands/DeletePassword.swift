import KeychainModel

/// `delete-generic-password` and `delete-internet-password`.
struct DeletePassword: Sendable {
    private let kind: PasswordKind

    init(_ kind: PasswordKind) { self.kind = kind }

    /// Deletes the first match, and shows what it was.
    ///
    /// Prompts the user only if an access control protects the match and the filters do not
    /// identify it.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let query = ItemQuery(kind: kind, arguments: arguments)
        guard query.hasFilter else { throw .usage("no filter: name the item, as with -s or -a") }
        let location = try context.location()
        let item = try deleteFirst(try query.filter(), context)
        if arguments.has(.json) {
            try context.print(JSONValue.object(ItemJSON.object(item, kind.itemClass)).page)
        } else {
            try context.print(ItemDump(location: location).page(of: item, kind.itemClass))
        }
        try context.tell(Page(line: "password has been deleted."))
    }

    private func deleteFirst(
        _ filter: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) -> ItemDictionary {
        do throws(CommandFailure) {
            return try deleteSeen(filter.askingNobody, context)
        } catch .keychain(let error) where error.failure != nil {
            guard let unseen = try PromptProtectedPassword(filter, of: kind.itemClass, context)
            else {
                return try deleteSeen(filter, context)
            }
            try unseen.delete(kind.itemClass, context)
            return unseen.item
        }
    }

    private func deleteSeen(
        _ filter: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) -> ItemDictionary {
        let item = try context.firstItem(filter, returning: [.returnPersistentReference])
        guard let reference = item.persistentReference else { throw .unexpectedReply }
        let named: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(kind.itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(reference),
        ]
        _ = try context.send(.delete(named))
        return item
    }
}
