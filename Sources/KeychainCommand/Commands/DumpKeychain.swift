import KeychainModel
import Secrets

/// `dump-keychain`.
enum DumpKeychain {
    private typealias Entry = (itemClass: ItemClass, item: ItemDictionary)

    /// Lists every item of the caller's groups.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var entries: [Entry] = []
        for itemClass in ItemClass.stored {
            let items = try context.items(of: itemClass, returning: [.returnPersistentReference])
            entries += items.map { (itemClass, $0) }
        }
        let failure = arguments.has(.data) ? try readData(of: &entries, context) : nil
        try context.print(page(entries, arguments, context))
        if let failure { throw failure }
    }

    private static func page(
        _ entries: [Entry],
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> Page {
        if arguments.has(.json) {
            let objects = entries.map { JSONValue.object(ItemJSON.object($0.item, $0.itemClass)) }
            return JSONValue.list(objects).page
        }
        let dumps =
            arguments.has(.raw) || arguments.has(.data) || !context.terminal.outputIsTerminal
        guard dumps, !arguments.has(.table) else { return TextTable.page(rows(entries)) }
        let dump = ItemDump(location: try context.location())
        var page = Page()
        for (itemClass, item) in entries {
            page.append(dump.page(of: item, itemClass))
            if let data = item.data { page.append(ItemDump.dataPage(data.secret)) }
        }
        return page
    }

    /// Reads one secret after the other, so that an item out of reach hides only itself.
    ///
    /// - Returns: The first failure.
    private static func readData(
        of entries: inout [Entry],
        _ context: CommandContext
    ) throws(CommandFailure) -> CommandFailure? {
        var first: CommandFailure?
        for index in entries.indices {
            do throws(CommandFailure) {
                entries[index].item.data = try data(of: entries[index], context)
            } catch .keychain(let error) {
                first = first ?? .keychain(error)
            }
        }
        return first
    }

    private static func data(
        of entry: Entry,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret? {
        guard let reference = entry.item.persistentReference else { throw .unexpectedReply }
        let named: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(entry.itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(reference),
        ]
        return try context.firstItem(named, returning: [.returnData]).data
    }

    // ★ Table: the columns for people, by the names of `--json`; the first member found is shown.
    private static let columns: [(title: String, members: [String])] = [
        ("CLASS", ["class"]),
        ("ACCOUNT", ["account"]),
        ("SERVICE OR SERVER", ["service", "server"]),
        ("LABEL", ["label"]),
        ("GROUP", ["accessGroup"]),
        ("ACCESSIBLE", ["accessible"]),
        ("MODIFIED", ["modified"]),
    ]

    private static func rows(_ entries: [Entry]) -> [[String]] {
        let rows = entries.map { entry in
            let members = ItemJSON.object(entry.item, entry.itemClass)
            return columns.map { column in
                for member in column.members {
                    if case .text(let text)? = members[member], !text.isEmpty { return text }
                }
                return "-"
            }
        }
        return [columns.map(\.title)] + rows
    }
}
