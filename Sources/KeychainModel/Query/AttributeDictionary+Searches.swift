// Searches of our own programs.

extension AttributeDictionary {
    /// Returns a search for the first match of a filter that requests the given return keys.
    package static func first(
        of filter: AttributeDictionary,
        returning keys: [QueryKey]
    ) -> AttributeDictionary {
        filter.returning(keys, limit: QueryKey.Word.limitOne)
    }

    /// Returns a search for all matches, local and synchronizable unless the filter says which.
    package static func all(
        _ itemClass: ItemClass,
        where filter: AttributeDictionary,
        returning keys: [QueryKey]
    ) -> AttributeDictionary {
        var query = filter.returning(keys, limit: QueryKey.Word.limitAll)
        query[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        if query[.synchronizable] == nil {
            query[.synchronizable] = .string(QueryKey.Word.synchronizableAny)
        }
        return query
    }

    /// Returns a search for one item by its persistent reference.
    package static func named(
        _ itemClass: ItemClass,
        _ reference: [UInt8]
    ) -> AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(reference),
        ]
    }

    private func returning(_ keys: [QueryKey], limit: String) -> AttributeDictionary {
        var query = self
        query[QueryKey.matchLimit.rawValue] = .string(limit)
        for key in [.returnAttributes] + keys { query[key.rawValue] = .bool(true) }
        return query
    }
}
