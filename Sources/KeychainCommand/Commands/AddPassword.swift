import KeychainModel
import Secrets

/// `add-generic-password` and `add-internet-password`.
struct AddPassword: Sendable {
    private let kind: PasswordKind

    init(_ kind: PasswordKind) { self.kind = kind }

    /// Stores the item; with `-U` changes the one that is there already.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var given = try ItemQuery(kind: kind, arguments: arguments).item()
        if arguments.has(.anyApplication) || arguments.has(.application) {
            try context.note("note: -A and -T have no effect; access groups say who sees an item")
        }
        let secret = try NewPassword(arguments: arguments, context: context).secret()
        given[QueryKey.valueData.rawValue] = .secret(secret)
        var item = given
        if item[.label] == nil { item[.label] = arguments[kind.place].map(AttributeValue.string) }
        do throws(CommandFailure) {
            _ = try context.send(.add(item))
        } catch .keychain(let error) where error.status == .duplicateItem && arguments.has(.update)
        {
            try change(given, context)
        }
    }

    /// Updates the one item that has the given primary key.
    private func change(
        _ given: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var query: AttributeDictionary = [:]
        var changes = given
        query[QueryKey.itemClass.rawValue] = .string(kind.itemClass.rawValue)
        changes[QueryKey.itemClass.rawValue] = nil
        for attribute in Schema.primaryKey(of: kind.itemClass) {
            query[attribute] = given[attribute] ?? omitted(attribute)
            changes[attribute] = nil
        }
        if query[.accessGroup] == nil {
            let group = try context.status().defaultAccessGroup
            query[.accessGroup] = group.map(AttributeValue.string)
        }
        _ = try context.send(.update(query, with: changes))
    }

    /// What an item has for an attribute of the primary key that nobody gave it.
    private func omitted(_ attribute: Attribute) -> AttributeValue? {
        guard
            let spec = Schema.spec(attribute, in: kind.itemClass), spec.traits.contains(.defaulted)
        else { return nil }
        return Coercion.emptyValue(of: spec.kind)
    }
}
