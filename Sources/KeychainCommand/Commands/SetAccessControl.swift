import KeychainModel

/// `set-access-control`: changes the access control of one item.
///
/// The keychain opens the item, which may prompt the user, and replaces it in one step. After a
/// failure the item still has its old access control.
enum SetAccessControl {
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.has(.require) != arguments.has(.requireNothing) else {
            throw .usage("missing option: give --require what, or --none")
        }
        let filter = try Self.filter(arguments)
        let protection = try arguments.protection()
        let control = try arguments.demands(with: protection ?? .whenUnlocked)
        _ = try context.send(
            .replaceAccessControl(filter, flags: control?.flags ?? [], protection: protection)
        )
    }

    /// Returns the options that identify the item; `--accessible` is the new value instead.
    private static func filter(
        _ arguments: Arguments
    ) throws(CommandFailure) -> AttributeDictionary {
        let options = OptionTable.setAccessControl.filter {
            $0.target != nil && $0.name != .accessible
        }
        guard options.contains(where: { arguments.has($0.name) }) else {
            throw .usage("no filter: name the item, as with -s or -a")
        }
        var filter = try arguments.attributes(of: options)
        let itemClass: ItemClass = arguments.has(.server) ? .internetPassword : .genericPassword
        filter[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        return filter
    }
}
