import KeychainMessages
import KeychainModel

/// The items that did not open while a command read the others.
///
/// - Source: requirement USE-06.
struct OutOfReach {
    private(set) var items: [OutOfReachItem] = []
    /// The lines to write, each with the number of items that share it.
    private var lines: [(text: String, count: Int)] = []
    private var first: KeychainError?

    var isEmpty: Bool { items.isEmpty }

    /// Adds an item that did not open.
    ///
    /// - Parameters:
    ///   - item: The known attributes of the item.
    ///   - refusal: The error of a later call for this item only; nil if the listing's reason
    ///     applies.
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

    /// Writes a line for each item to standard error; equal lines become one with a number.
    func tell(_ context: CommandContext) throws(CommandFailure) {
        for (text, count) in lines {
            try context.note(count == 1 ? text : "\(count) items \(text)")
        }
    }

    /// Writes the lines, then ends the command with the status of the first item.
    ///
    /// - Parameters:
    ///   - context: The context whose standard error gets the lines.
    ///   - rest: The fate of the other items, for the error message.
    /// - Throws: `CommandFailure.keychain` if an item did not open.
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
    /// The readable attributes; `outOfReach` gives the reason why the item stays closed.
    var json: JSONValue {
        var item = ItemDictionary()
        item.attributes = attributes
        var members = ItemJSON.object(item, itemClass)
        members["outOfReach"] = .text(obstacle.rawValue)
        return .object(members)
    }
}

extension AttributeValues {
    /// ★ Table: the attributes that identify an item, by their names in `--json`.
    private static let naming = [
        "label", "account", "service", "server", "accessGroup", "accessible",
    ]

    /// Returns the class and the identifying attributes, such as `genp (account alice)`.
    func words(for itemClass: ItemClass) -> String { itemClass.rawValue + names(for: itemClass) }

    /// Returns the identifying attributes, such as ` (account alice)`; empty if there are none.
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
