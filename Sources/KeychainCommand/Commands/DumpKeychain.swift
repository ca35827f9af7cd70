import KeychainMessages
import KeychainModel
import Secrets

/// `dump-keychain`.
enum DumpKeychain {
    fileprivate struct Entry {
        let itemClass: ItemClass
        var item: ItemDictionary
        /// The reason why the item stays closed; nil for an item that opened.
        var obstacle: OutOfReachItem.Obstacle?
    }

    /// Lists every item of the caller's groups; prompts the user only if secrets are wanted.
    ///
    /// An item that does not open does not hide the others.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var entries: [Entry] = []
        var reach = OutOfReach()
        for itemClass in ItemClass.stored {
            let listing = try context.listing(
                of: itemClass,
                returning: [.returnPersistentReference]
            )
            entries += listing.items.map { Entry(itemClass: itemClass, item: $0) }
            entries += listing.outOfReach.map(Entry.init)
            guard !arguments.has(.data) else { continue }
            for item in listing.outOfReach { reach.add(item) }
        }
        if arguments.has(.data) { try readData(of: &entries, &reach, context) }
        try context.print(page(entries, arguments, context))
        try reach.finish(context)
    }

    private static func page(
        _ entries: [Entry],
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> Page {
        if arguments.has(.json) { return JSONValue.list(entries.map(\.json)).page }
        let entries = entries.filter { $0.obstacle == nil }
        let dumps =
            arguments.has(.raw) || arguments.has(.data) || !context.terminal.outputIsTerminal
        guard dumps, !arguments.has(.table) else { return TextTable.page(rows(entries)) }
        let dump = ItemDump(location: try context.location())
        var page = Page()
        for entry in entries {
            page.append(dump.page(of: entry.item, entry.itemClass))
            if let data = entry.item.data { page.append(ItemDump.dataPage(data.secret)) }
        }
        return page
    }

    /// Reads the secrets one by one, and prompts the user for each that requires it.
    private static func readData(
        of entries: inout [Entry],
        _ reach: inout OutOfReach,
        _ context: CommandContext
    ) throws(CommandFailure) {
        for index in entries.indices {
            let entry = entries[index]
            guard let reference = entry.item.persistentReference else { throw .unexpectedReply }
            do throws(CommandFailure) {
                entries[index].item = try context.item(entry.itemClass, named: reference)
                entries[index].obstacle = nil
            } catch .keychain(let error) where error.isOutOfReach {
                entries[index].obstacle = entry.obstacle ?? .lockState
                reach.add(entries[index].outOfReach(reference, error))
            }
        }
    }

    // ★ Table: the columns, as names of `--json` members; a cell shows the first member present.
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

extension DumpKeychain.Entry {
    fileprivate init(_ item: OutOfReachItem) {
        itemClass = item.itemClass
        self.item = ItemDictionary()
        self.item.attributes = item.attributes
        self.item.persistentReference = item.persistentReference
        obstacle = item.obstacle
    }

    /// The attributes as JSON; `outOfReach` gives the reason why an item stayed closed.
    fileprivate var json: JSONValue {
        var members = ItemJSON.object(item, itemClass)
        members["outOfReach"] = obstacle.map { .text($0.rawValue) }
        return .object(members)
    }

    fileprivate func outOfReach(_ reference: [UInt8], _ error: KeychainError) -> OutOfReachItem {
        OutOfReachItem(
            itemClass,
            obstacle ?? .lockState,
            attributes: item.attributes,
            persistentReference: reference,
            error: error
        )
    }
}
