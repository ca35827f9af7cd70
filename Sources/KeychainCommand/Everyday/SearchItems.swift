import KeychainMessages
import KeychainModel

/// `search`.
enum SearchItems {
    // ★ Table: the members of `--json` that are searched, beside the class.
    private static let searched = [
        "label", "account", "service", "server", "path", "securityDomain", "comment", "kind",
        "generic", "applicationTag", "subjectSummary", "emailAddresses", "accessGroup",
    ]

    // ★ Table: the columns for people; the first member found is shown.
    private static let columns: [(title: String, members: [String])] = [
        ("CLASS", ["class"]),
        ("LABEL", ["label"]),
        ("ACCOUNT", ["account"]),
        ("SERVICE OR SERVER", ["service", "server"]),
        ("GROUP", ["accessGroup"]),
        ("FOUND IN", ["foundIn"]),
    ]

    /// Lists the items with every word in an attribute, whatever its letters' case.
    ///
    /// It reads no secret, so nobody is asked.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let words = arguments.operands.map { $0.lowercased() }
        var found: [[String: JSONValue]] = []
        for itemClass in ItemClass.stored {
            let listing = try context.listing(of: itemClass, returning: [])
            let items = listing.items + listing.outOfReach.map(Self.closed)
            for item in items {
                var members = ItemJSON.object(item, itemClass)
                let places = places(of: words, in: members)
                guard let places else { continue }
                members["foundIn"] = .text(places.joined(separator: ", "))
                found.append(members)
            }
        }
        guard !found.isEmpty else {
            throw .keychain(KeychainError(.itemNotFound, "no attribute has what you search"))
        }
        guard !arguments.has(.json) else {
            return try context.print(JSONValue.list(found.map(JSONValue.object)).page)
        }
        let rows = found.map { members in
            columns.map { column in Self.text(column.members, in: members) ?? "-" }
        }
        try context.print(TextTable.page([columns.map(\.title)] + rows))
    }

    /// What is readable of an item that does not open.
    private static func closed(_ item: OutOfReachItem) -> ItemDictionary {
        var shown = ItemDictionary()
        shown.attributes = item.attributes
        return shown
    }

    /// The members that have a word; nil if one of the words is in none.
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
