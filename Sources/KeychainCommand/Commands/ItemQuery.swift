import KeychainMessages
import KeychainModel

/// Builds query dictionaries from options.
struct ItemQuery {
    /// Options that remain filters when account and place already name the item.
    private static let alwaysFilters: Set<CommandOption.Name> = [
        .accessGroup, .accessible, .synchronizable,
    ]

    let kind: PasswordKind
    let arguments: Arguments

    /// Returns the class, and every attribute that an option sets.
    ///
    /// - Throws: `CommandFailure.usage` for a value in the wrong form.
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

    /// Returns the class and the filters; matches local and synchronizable items unless an option
    /// chooses.
    ///
    /// - Throws: `CommandFailure.usage` for a value in the wrong form.
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
    /// Returns the first item that matches a filter: its attributes, and the values that `keys`
    /// name.
    ///
    /// - Throws: The keychain's error, such as `errSecItemNotFound`.
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

    /// Lists every item of a class that matches a filter, including items that do not open.
    ///
    /// It never prompts.
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

    /// Returns every item of a class that matches a filter; an empty list if none does.
    ///
    /// - Throws: The keychain's error if one of the items does not open.
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
    /// Returns the item with a persistent reference, and its value.
    ///
    /// May prompt the user.
    ///
    /// - Throws: The keychain's error.
    func item(
        _ itemClass: ItemClass,
        named reference: [UInt8]
    ) throws(CommandFailure) -> ItemDictionary {
        try firstItem(.named(itemClass, reference), returning: [.returnData])
    }
}
