import KeychainModel

/// `edit`.
enum EditItem {
    /// Changes one item in one step.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let kind: PasswordKind = arguments.has(.server) ? .internet : .generic
        let filter = try filter(kind, arguments)
        var changes = try arguments.attributes(of: OptionTable.changes)
        let isChanging = OptionTable.changes.contains { arguments.has($0.name) }
        guard isChanging || arguments.has(.onlyPassword) else {
            throw .usage("nothing to change: give a --set- option or -w")
        }
        let foreign: CommandOption.Name = kind.place == .service ? .newServer : .newService
        guard !arguments.has(foreign) else {
            throw .usage("a password has a service or a server, not both")
        }
        let item = try only(filter, kind, context)
        if arguments.has(.onlyPassword) {
            let secret = try NewPassword(arguments: arguments, context: context).secret()
            changes[QueryKey.valueData.rawValue] = .secret(secret)
        }
        do throws(CommandFailure) {
            _ = try context.send(.update(item, with: changes))
        } catch .keychain(let error) where error.status == .duplicateItem {
            let reason = "\(kind.collision) exists already: nothing was changed"
            throw .keychain(KeychainError(error.status, reason))
        }
    }

    private static func filter(
        _ kind: PasswordKind,
        _ arguments: Arguments
    ) throws(CommandFailure) -> AttributeDictionary {
        let options = OptionTable.storing
        guard options.contains(where: { arguments.has($0.name) }) else {
            throw .usage("no filter: name the item, as with -s or -a")
        }
        var filter = try arguments.attributes(of: options)
        filter[QueryKey.itemClass.rawValue] = .string(kind.itemClass.rawValue)
        if filter[.synchronizable] == nil {
            filter[.synchronizable] = .string(QueryKey.Word.synchronizableAny)
        }
        return filter
    }

    /// A query for the one item that the filter admits: more than one is never changed at once.
    private static func only(
        _ filter: AttributeDictionary,
        _ kind: PasswordKind,
        _ context: CommandContext
    ) throws(CommandFailure) -> AttributeDictionary {
        let listing = try context.listing(
            of: kind.itemClass,
            where: filter,
            returning: [.returnPersistentReference]
        )
        let found =
            listing.items.compactMap(\.persistentReference)
            + listing.outOfReach.map(\.persistentReference)
        guard let first = found.first else {
            throw .keychain(context.advised(KeychainError(.itemNotFound, "no password matches")))
        }
        guard found.count == 1 else {
            throw .input(
                "\(found.count) passwords match, and nothing was changed: name one, as with -s and"
                    + " -a; keychainctl search shows them"
            )
        }
        return [
            QueryKey.itemClass.rawValue: .string(kind.itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(first),
        ]
    }
}
