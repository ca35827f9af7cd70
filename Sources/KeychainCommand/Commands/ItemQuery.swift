import KeychainMessages
import KeychainModel

/// Makes query dictionaries out of options.
struct ItemQuery {
    /// Options that filter also when account and place name the item.
    private static let alwaysFilters: Set<CommandOption.Name> = [
        .accessGroup, .accessible, .synchronizable,
    ]

    let kind: PasswordKind
    let arguments: Arguments

    /// The class and every attribute that an option sets.
    ///
    /// - Throws: `CommandFailure.usage` for a value of the wrong form.
    func item() throws(CommandFailure) -> AttributeDictionary {
        var item = try arguments.attributes(of: kind.addOptions)
        let protection =
            try arguments.protection() ?? QueryParser.defaultProtection(of: kind.itemClass)
        if let control = try arguments.demands(with: protection) {
            item[.accessible] = nil
            item[.accessControl] = .accessControl(control)
        }
        item[QueryKey.itemClass.rawValue] = .string(kind.itemClass.rawValue)
        return item
    }

    /// The class and the filters; local and synchronizable items unless an option says which.
    ///
    /// - Throws: `CommandFailure.usage` for a value of the wrong form.
    func filter() throws(CommandFailure) -> AttributeDictionary {
        var options = kind.findOptions
        if kind.keyNamesItem, arguments.has(.account), arguments.has(kind.place) {
            let kept = Self.alwaysFilters.union([.account, kind.place])
            options = options.filter { kept.contains($0.name) }
        }
        var filter = try arguments.attributes(of: options)
        filter[QueryKey.itemClass.rawValue] = .string(kind.itemClass.rawValue)
        if filter[.synchronizable] == nil {
            filter[.synchronizable] = .string(QueryKey.Word.synchronizableAny)
        }
        return filter
    }

    /// Whether any option narrows the search.
    var hasFilter: Bool {
        kind.findOptions.contains { $0.target != nil && arguments.has($0.name) }
    }
}

extension CommandContext {
    /// Finds the first item of a filter, with what the keys ask for beside the attributes.
    ///
    /// - Throws: What the keychain says, such as `errSecItemNotFound`.
    func firstItem(
        _ filter: AttributeDictionary,
        returning keys: [QueryKey]
    ) throws(CommandFailure) -> ItemDictionary {
        let query = AttributeDictionary.first(of: filter, returning: keys)
        guard case .result(.dictionary(let item)) = try send(.copyMatching(query)) else {
            throw .unexpectedReply
        }
        return item
    }

    /// Lists every item of a class that a filter admits, also where some are out of reach.
    ///
    /// Nobody is asked.
    func listing(
        of itemClass: ItemClass,
        where filter: AttributeDictionary = [:],
        returning keys: [QueryKey]
    ) throws(CommandFailure) -> Listing {
        let query = AttributeDictionary.all(itemClass, where: filter, returning: keys)
        guard case .listing(let listing) = try send(.list(query)) else {
            throw .unexpectedReply
        }
        return listing
    }

    /// Finds every item of a class that a filter admits; none is an empty list.
    ///
    /// - Throws: What the keychain says if one of them is out of reach.
    func items(
        of itemClass: ItemClass,
        where filter: AttributeDictionary = [:],
        returning keys: [QueryKey]
    ) throws(CommandFailure) -> [ItemDictionary] {
        let query = AttributeDictionary.all(itemClass, where: filter, returning: keys)
        do throws(CommandFailure) {
            guard case .result(.array(let results)) = try send(.copyMatching(query)) else {
                throw .unexpectedReply
            }
            return results.compactMap { result in
                if case .dictionary(let item) = result { item } else { nil }
            }
        } catch .keychain(let error) where error.status == .itemNotFound {
            return []
        }
    }
}

extension CommandContext {
    /// A password or other item by its name, with its value; a person may have to be asked.
    ///
    /// - Throws: What the keychain says.
    func item(
        _ itemClass: ItemClass,
        named reference: [UInt8]
    ) throws(CommandFailure) -> ItemDictionary {
        try firstItem(.named(itemClass, reference), returning: [.returnData])
    }
}
