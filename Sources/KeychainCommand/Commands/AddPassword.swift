import KeychainModel
import Secrets

/// `add-generic-password` and `add-internet-password`.
struct AddPassword: Sendable {
    private let kind: PasswordKind

    init(_ kind: PasswordKind) { self.kind = kind }

    /// Stores the item; with `-U`, updates an existing item instead.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard !arguments.has(.update) || !arguments.has(.require) else {
            throw .usage(
                "give either -U or --require: set-access-control changes an access control"
            )
        }
        var given = try ItemQuery(kind: kind, arguments: arguments).item()
        try context.noteIneffective(arguments)
        let secret = try NewPassword(arguments: arguments, context: context).secret()
        given[QueryKey.valueData.rawValue] = .secret(secret)
        try store(given, arguments, context)
    }

    /// Stores an item, and derives its label from its service or server if it has none.
    func store(
        _ given: AttributeDictionary,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var item = given
        if item[.label] == nil { item[.label] = arguments[kind.place].map(AttributeValue.string) }
        do throws(CommandFailure) {
            _ = try context.send(.add(item))
        } catch .keychain(let error) where error.status == .duplicateItem {
            guard arguments.has(.update) else {
                let reason = "\(kind.collision) exists; add -U to change it"
                throw .keychain(KeychainError(error.status, reason))
            }
            try change(given, context)
        }
    }

    /// Updates the one item that has the given primary key.
    private func change(
        _ given: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var changes = given
        changes[QueryKey.itemClass.rawValue] = nil
        for attribute in Schema.primaryKey(of: kind.itemClass) { changes[attribute] = nil }
        let query = try context.primaryKey(of: given, kind.itemClass)
        _ = try context.send(.update(query, with: changes))
    }
}
