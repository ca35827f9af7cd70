import KeychainMessages
import KeychainModel

/// The items that a command could not open while it wrote the others.
///
/// - Source: requirement USE-06.
struct OutOfReach {
    private(set) var items: [OutOfReachItem] = []
    /// Each line once, with the number of items that it stands for.
    private var lines: [(text: String, count: Int)] = []
    private var first: KeychainError?

    var isEmpty: Bool { items.isEmpty }

    /// Adds an item that did not open.
    ///
    /// - Parameters:
    ///   - item: What is known of it.
    ///   - refusal: Why a later call for the item alone failed; nil for the reason of the listing.
    mutating func add(_ item: OutOfReachItem, _ refusal: KeychainError? = nil) {
        let error = refusal ?? item.error
        let text = "out of reach: \(item.attributes.words(for: item.itemClass)): \(error.reason)"
        first = first ?? error
        items.append(item)
        if let known = lines.firstIndex(where: { $0.text == text }) {
            lines[known].count += 1
        } else {
            lines.append((text, 1))
        }
    }

    /// Writes a line for each item to standard error; items with the same line share it.
    func tell(_ context: CommandContext) throws(CommandFailure) {
        for (text, count) in lines {
            try context.note(count == 1 ? text : "\(count) items \(text)")
        }
    }

    /// Writes the lines, then ends the command with the status of the first item.
    ///
    /// - Parameters:
    ///   - context: Where the lines go.
    ///   - rest: What became of the other items, for the error message.
    /// - Throws: `CommandFailure.keychain` if there is any.
    func finish(
        _ context: CommandContext,
        _ rest: String = "every other item was written"
    ) throws(CommandFailure) {
        guard let first else { return }
        try tell(context)
        let words =
            items.count == 1 ? "1 item is out of reach" : "\(items.count) items are out of reach"
        throw .keychain(context.advised(KeychainError(first.status, "\(words); \(rest)")))
    }
}

extension KeychainError {
    /// Whether an item stayed closed because of the lock state or its access control.
    var isOutOfReach: Bool { failure != nil || status == .interactionNotAllowed }
}

extension OutOfReachItem {
    /// The readable attributes; `outOfReach` says what keeps the item closed.
    var json: JSONValue {
        var item = ItemDictionary()
        item.attributes = attributes
        var members = ItemJSON.object(item, itemClass)
        members["outOfReach"] = .text(obstacle.rawValue)
        return .object(members)
    }
}

extension AttributeValues {
    /// ★ Table: what names an item, by the names of `--json`.
    private static let naming = [
        "label", "account", "service", "server", "accessGroup", "accessible",
    ]

    /// The class and the attributes that name an item, such as `genp (account alice)`.
    func words(for itemClass: ItemClass) -> String { itemClass.rawValue + names(for: itemClass) }

    /// The attributes that name an item, such as ` (account alice)`; empty for none.
    func names(for itemClass: ItemClass) -> String {
        var item = ItemDictionary()
        item.attributes = self
        let shown = ItemJSON.object(item, itemClass)
        let names = Self.naming.compactMap { name -> String? in
            guard case .text(let text)? = shown[name], !text.isEmpty else { return nil }
            return "\(name) \(text)"
        }
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }
}
