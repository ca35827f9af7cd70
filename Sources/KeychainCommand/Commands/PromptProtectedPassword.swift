import KeychainModel

/// A password that opens only after a prompt, named by its whole primary key.
///
/// Deleting prompts nobody, but removes every match. So the command first makes sure, without a
/// prompt, that there is exactly one.
struct PromptProtectedPassword {
    /// What is known of it: the primary key.
    let item: ItemDictionary

    /// Finds the only such match of a filter; asks nobody.
    ///
    /// - Returns: nil when a part of the key is missing, and when several groups, or a local and a
    ///   synchronizable item, come into question.
    /// - Throws: What the keychain says for other reasons than that somebody has to be asked.
    init?(
        _ filter: AttributeDictionary,
        of itemClass: ItemClass,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let known = Schema.primaryKey(of: itemClass).filter { !Self.places.contains($0) }
        guard known.allSatisfy({ filter[$0] != nil }),
            let candidates = try Self.candidates(filter, context)
        else { return nil }
        var found: [AttributeDictionary] = []
        for candidate in candidates where try context.needsPrompt(candidate) {
            found.append(candidate)
        }
        guard found.count == 1, let only = found.first else { return nil }
        var item = ItemDictionary()
        for attribute in Schema.primaryKey(of: itemClass) {
            item.attributes[attribute] = only[attribute]
        }
        self.item = item
    }

    /// Deletes it.
    func delete(
        _ itemClass: ItemClass,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var query: AttributeDictionary = [:]
        query[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        for (attribute, value) in item.attributes { query[attribute] = value }
        _ = try context.send(.delete(query))
    }

    /// The parts of a primary key that a filter may leave open.
    private static let places: Set<Attribute> = [.accessGroup, .synchronizable]

    /// The filter for each place where there can be one item; nil where groups have no end.
    private static func candidates(
        _ filter: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) -> [AttributeDictionary]? {
        let groups: [AttributeValue]
        if let group = filter[.accessGroup] {
            groups = [group]
        } else {
            let names = try context.status().accessGroups
            guard !names.contains(where: { $0.hasSuffix("*") }) else { return nil }
            groups = names.map { .string($0) }
        }
        var kinds = [filter[.synchronizable] ?? .bool(false)]
        if kinds == [.string(QueryKey.Word.synchronizableAny)] {
            kinds = [.bool(false), .bool(true)]
        }
        return groups.flatMap { group in
            kinds.map { kind in
                var candidate = filter
                candidate[.accessGroup] = group
                candidate[.synchronizable] = kind
                return candidate
            }
        }
    }
}

extension CommandContext {
    /// Whether a match of the filter would ask somebody before it shows itself.
    fileprivate func needsPrompt(_ filter: AttributeDictionary) throws(CommandFailure) -> Bool {
        do throws(CommandFailure) {
            _ = try firstItem(filter.askingNobody, returning: [])
            return false
        } catch .keychain(let error) where error.status == .itemNotFound {
            return false
        } catch .keychain(let error) where error.failure != nil {
            return true
        }
    }
}

extension AttributeDictionary {
    /// The same search, which fails where somebody would have to be asked.
    var askingNobody: AttributeDictionary {
        var query = self
        query[QueryKey.useAuthenticationUI.rawValue] = .string(QueryKey.Word.interfaceFail)
        return query
    }
}
