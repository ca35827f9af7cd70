import KeychainMessages
import KeychainModel

/// `search`.
enum SearchItems {
    // ★ Table: the members of `--json` that a search examines, apart from the class.
    private static let searched = [
        "label", "account", "service", "server", "path", "securityDomain", "comment", "kind",
        "generic", "applicationTag", "subjectSummary", "emailAddresses", "accessGroup",
    ]

    // ★ Table: the columns of the output; a cell shows the first member present.
    private static let columns: [(title: String, members: [String])] = [
        ("CLASS", ["class"]),
        ("LABEL", ["label"]),
        ("ACCOUNT", ["account"]),
        ("SERVICE OR SERVER", ["service", "server"]),
        ("GROUP", ["accessGroup"]),
        ("FOUND IN", ["foundIn"]),
    ]

    /// Lists the items that contain every word in an attribute, in any letter case.
    ///
    /// It reads no secrets, so it needs no prompt. The attributes of an item in a locked class are
    /// sealed. Such an item appears as out of reach, so that it does not seem to be missing.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let words = arguments.operands.map { $0.lowercased() }
        var found: [[String: JSONValue]] = []
        var reach = OutOfReach()
        for itemClass in ItemClass.stored {
            let listing = try context.listing(of: itemClass, returning: [])
            found += listing.items.compactMap { match($0, itemClass, words) }
            for item in listing.outOfReach {
                if let members = match(closed(item), itemClass, words) {
                    found.append(members)
                } else if item.obstacle == .lockState {
                    reach.add(item)
                }
            }
        }
        guard !found.isEmpty || !reach.isEmpty else {
            throw .keychain(KeychainError(.itemNotFound, "no attribute has what you search"))
        }
        if arguments.has(.json) {
            try context.print(JSONValue.list(found.map(JSONValue.object)).page)
        } else if !found.isEmpty {
            let rows = found.map { members in
                columns.map { column in text(column.members, in: members) ?? "-" }
            }
            try context.print(TextTable.page([columns.map(\.title)] + rows))
        }
        try reach.finish(context, "every other item was searched")
    }

    /// Returns the members of an item that contains all words, and where; nil for any other item.
    private static func match(
        _ item: ItemDictionary,
        _ itemClass: ItemClass,
        _ words: [String]
    ) -> [String: JSONValue]? {
        var members = ItemJSON.object(item, itemClass)
        guard let places = places(of: words, in: members) else { return nil }
        members["foundIn"] = .text(places.joined(separator: ", "))
        return members
    }

    /// Returns the readable attributes of an item that does not open.
    private static func closed(_ item: OutOfReachItem) -> ItemDictionary {
        var shown = ItemDictionary()
        shown.attributes = item.attributes
        return shown
    }

    /// Returns the names of the members that contain a word; nil if no member contains one of them.
    private static func places(
        of words: [String],
        in members: [String: JSONValue]
    ) -> [String]? {
        let texts = searched.compactMap { name in
            text([name], in: members).map { (name, $0.lowercased()) }
        }
        guard words.allSatisfy({ word in texts.contains { $0.1.contains(word) } }) else {
            return nil
        }
        return texts.filter { text in words.contains { text.1.contains($0) } }.map(\.0)
    }

    private static func text(_ names: [String], in members: [String: JSONValue]) -> String? {
        for name in names {
            if case .text(let text)? = members[name], !text.isEmpty { return text }
            guard case .list(let values)? = members[name] else { continue }
            let texts = values.compactMap { value in
                if case .text(let text) = value { text } else { nil }
            }
            if !texts.isEmpty { return texts.joined(separator: " ") }
        }
        return nil
    }
}
