import KeychainModel
import Secrets

/// `edit`.
enum EditItem {
    /// Changes one item in one step.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let kind: PasswordKind = arguments.has(.server) ? .internet : .generic
        let filter = try filter(kind, arguments)
        let changes = try arguments.attributes(of: OptionTable.changes)
        let isChanging = OptionTable.changes.contains { arguments.has($0.name) }
        guard isChanging || arguments.has(.onlyPassword) || usesEditor(arguments, context) else {
            throw .usage("nothing to change: give a --set- option, -w or --editor")
        }
        let foreign: CommandOption.Name = kind.place == .service ? .newServer : .newService
        guard !arguments.has(foreign) else {
            throw .usage("a password has a service or a server, not both")
        }
        let target = Target(kind: kind, item: try only(filter, kind, context))
        guard usesEditor(arguments, context), !isChanging else {
            return try change(target, changes, arguments, context)
        }
        if arguments.has(.onlyPassword) {
            try editPassword(target, arguments, context)
        } else {
            try editAttributes(target, foreign, context)
        }
    }

    private struct Target {
        let kind: PasswordKind
        let item: ItemDictionary

        /// A query for only this item.
        var query: AttributeDictionary { .named(kind.itemClass, item.persistentReference ?? []) }
    }

    /// Whether to open an editor: with `--editor`, or at a terminal without `-w`.
    private static func usesEditor(_ arguments: Arguments, _ context: CommandContext) -> Bool {
        arguments.has(.editor)
            || context.terminal.inputIsTerminal && !arguments.has(.onlyPassword)
    }

    private static func change(
        _ target: Target,
        _ attributes: AttributeDictionary,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var changes = attributes
        if arguments.has(.onlyPassword) {
            let secret = try NewPassword(arguments: arguments, context: context).secret()
            changes[QueryKey.valueData.rawValue] = .secret(secret)
        }
        try update(target, changes, context)
    }

    private static func editPassword(
        _ target: Target,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let item = try context.firstItem(target.query, returning: [.returnData])
        let before = item.data ?? SharedSecret(Secret(byteCount: 0) { _ in })
        // Editors add a line end to the last line of a file.
        let endsLine = before.secret.withUnsafeBytes { $0.last == UInt8(ascii: "\n") }
        try LoanedText(name: "password", context: context).edit(before.secret) {
            after throws(CommandFailure) in
            let new = after.withUnsafeBytes { bytes in
                let isAdded = !endsLine && bytes.last == UInt8(ascii: "\n")
                return Secret(
                    copying: UnsafeRawBufferPointer(rebasing: bytes.dropLast(isAdded ? 1 : 0))
                )
            }
            guard new.byteCount > 0 || arguments.has(.allowEmpty) else {
                throw .input("the password is empty; to store an empty one, add --allow-empty")
            }
            var changes: AttributeDictionary = [:]
            changes[QueryKey.valueData.rawValue] = .secret(SharedSecret(new))
            try update(target, changes, context)
        }
    }

    private static func editAttributes(
        _ target: Target,
        _ foreign: CommandOption.Name,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let options = OptionTable.changes.filter { $0.name != foreign }
        let attributes = target.item.attributes
        let text = AttributeText.text(attributes, options)
        try LoanedText(name: "attributes", context: context).edit(Secret(copying: text.utf8)) {
            after throws(CommandFailure) in
            let text = after.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let changes = try AttributeText.changes(text, attributes, options)
            if let changes { try update(target, changes, context) }
        }
    }

    private static func update(
        _ target: Target,
        _ changes: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            _ = try context.send(.update(target.query, with: changes))
        } catch .keychain(let error) where error.status == .duplicateItem {
            let reason = "\(target.kind.collision) exists already: nothing was changed"
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

    /// Returns the only item that the filter matches; a change never affects several items.
    private static func only(
        _ filter: AttributeDictionary,
        _ kind: PasswordKind,
        _ context: CommandContext
    ) throws(CommandFailure) -> ItemDictionary {
        let listing = try context.listing(
            of: kind.itemClass,
            where: filter,
            returning: [.returnPersistentReference]
        )
        let closed = listing.outOfReach.map { item in
            var shown = ItemDictionary()
            shown.attributes = item.attributes
            shown.persistentReference = item.persistentReference
            return shown
        }
        let found = listing.items + closed
        guard let first = found.first else {
            throw .keychain(context.advised(KeychainError(.itemNotFound, "no password matches")))
        }
        guard found.count == 1 else {
            throw .input(
                "\(found.count) passwords match, and nothing was changed: name one, as with -s and"
                    + " -a; keychainctl search shows them"
            )
        }
        return first
    }
}
