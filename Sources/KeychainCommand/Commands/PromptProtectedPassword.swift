import KeychainModel

/// A password that opens only after a prompt, named by its whole primary key.
///
/// A deletion needs no prompt, but it removes every match. The command therefore makes sure first,
/// without a prompt, that exactly one item matches.
struct PromptProtectedPassword {
    /// The known attributes of the item: its primary key.
    let item: ItemDictionary

    /// Finds the only such match of a filter, without a prompt.
    ///
    /// - Returns: nil if a part of the primary key is missing, or if several items may match: in
    ///   several groups, or both local and synchronizable.
    /// - Throws: The keychain's error, unless it means that a prompt is necessary.
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

    /// Deletes the item.
    func delete(
        _ itemClass: ItemClass,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var query: AttributeDictionary = [:]
        query[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        for (attribute, value) in item.attributes { query[attribute] = value }
        _ = try context.send(.delete(query))
    }

    /// The attributes of a primary key that a filter may omit.
    private static let places: Set<Attribute> = [.accessGroup, .synchronizable]

    /// Returns a filter for each place that can hold one item; nil if the groups contain a
    /// wildcard.
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
    /// Whether a match of the filter opens only after a prompt.
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
    /// The same query, but it fails where it would prompt the user.
    var askingNobody: AttributeDictionary {
        var query = self
        query[QueryKey.useAuthenticationUI.rawValue] = .string(QueryKey.Word.interfaceFail)
        return query
    }
}
