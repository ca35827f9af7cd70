import Secrets

// The selections of SecItemCopyMatching, SecItemUpdate and SecItemDelete.
extension QueryParser {
    mutating func selection(from parsed: ParsedDictionary) throws(KeychainError) -> Selection {
        var selection = Selection(itemClass: parsed.itemClass)
        selection.reference = parsed.reference
        selection.publicKeyHash = parsed.publicKeyHash
        if parsed.reference != nil { selection.synchronizable = .any }
        // The storage is shared with the dictionary: nearly all attributes are terms, mostly
        // unchanged.
        selection.terms = parsed.attributes
        for (attribute, value) in zip(parsed.attributes.keys, parsed.attributes.values) {
            try takeTerm(attribute, value, of: &selection)
        }
        if parsed.hasKey(of: .value), parsed.keys[.valueData] != nil {
            note(.valueDataInSearch, parsed.itemClass)
        }
        return selection
    }

    /// Converts an attribute of the dictionary to a term, or to another part of the selection.
    private mutating func takeTerm(
        _ attribute: Attribute,
        _ value: AttributeValue,
        of selection: inout Selection
    ) throws(KeychainError) {
        let spec = try spec(attribute, in: selection.itemClass)
        if Self.isTerm(attribute) {
            guard !Coercion.keeps(value, as: spec.kind) else { return }
            selection.terms[attribute] = try coerce(value, for: spec)
            return
        }
        selection.terms.removeValue(forKey: attribute)
        switch attribute {
        case .synchronizable:
            selection.synchronizable = try synchronizableFilter(value, spec)
        case .accessGroup:
            selection.accessGroup = try accessGroup(from: value)
        case .accessible:
            selection.protection = try protection(from: value)
            note(.accessibleInSearch, selection.itemClass)
        case .tokenAttributes:
            throw KeychainError(.param, "no search compares the attribute 'tkat'")
        case .accessControl:
            // An access control is never a search term, but its type is still checked.
            _ = try coerce(value, for: spec)
        case .lookupPairs:
            selection.pairs = try pairs(from: value, spec)
        default:
            selection.matchesTombstones = try flag(value, "tomb")
        }
    }

    /// Whether values of the attribute are compared; `takeTerm` handles the others.
    private static func isTerm(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .synchronizable, .accessGroup, .accessible, .accessControl, .tombstone,
            .lookupPairs, .tokenAttributes:
            false
        default: true
        }
    }

    private func pairs(
        from value: AttributeValue,
        _ spec: AttributeSpec
    ) throws(KeychainError) -> LookupPairs {
        guard case .data(let bytes) = try coerce(value, for: spec),
            let pairs = LookupPairs(encoded: bytes)
        else { throw KeychainError(.param, "the attributes of the item are malformed") }
        return pairs
    }

    private func synchronizableFilter(
        _ value: AttributeValue,
        _ spec: AttributeSpec
    ) throws(KeychainError) -> SynchronizableFilter {
        if case .string(QueryKey.Word.synchronizableAny) = value { return .any }
        guard case .number(let number) = try coerce(value, for: spec) else {
            let reason = "kSecAttrSynchronizable accepts a Boolean or kSecAttrSynchronizableAny"
            throw KeychainError(.param, reason)
        }
        return number == 0 ? .local : .synchronized
    }
}

// SecItemCopyMatching.
extension QueryParser {
    /// Parses the dictionary of a `SecItemCopyMatching`.
    package mutating func select(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> SelectQuery {
        let parsed = try parse(dictionary)
        var query = SelectQuery(selection: try selection(from: parsed))
        query.authentication = try authentication(of: parsed)
        query.returns = parsed.returns
        try checkReferenceStandsAlone(parsed)
        guard parsed.hasKey(of: .match) else { return query }
        if let limit = parsed.keys[.matchLimit].flatMap(ValueShape.limit) { query.limit = limit }
        try addFilters(of: parsed, to: &query.selection)
        return query
    }

    private func checkReferenceStandsAlone(_ parsed: ParsedDictionary) throws(KeychainError) {
        guard case .uuid? = parsed.reference?.target else { return }
        let others = parsed.attributes.keys.filter { $0 != .synchronizable }
        guard others.isEmpty else {
            throw KeychainError(
                .param,
                "a query with a persistent reference accepts no other attributes"
            )
        }
    }

    private mutating func addFilters(
        of parsed: ParsedDictionary,
        to selection: inout Selection
    ) throws(KeychainError) {
        if let host = parsed.keys[.matchHostOrSubdomain].flatMap(ValueShape.text) {
            guard parsed.itemClass == .internetPassword else {
                let reason = "kSecMatchHostOrSubdomainOfHost is for internet passwords"
                throw KeychainError(.unimplemented, reason)
            }
            selection.filters.append(.hostOrSubdomain(of: host))
        }
        selection.filters += try certificateFilters(of: parsed)
        if parsed.keys[.matchItemList] != nil { note(.itemListIgnored, parsed.itemClass) }
        guard parsed.keys[.matchCaseInsensitive].flatMap(ValueShape.bool) == true else { return }
        selection.ignoresCase = profiles.behavior.matchCaseInsensitive == .honor
        if !selection.ignoresCase { note(.caseInsensitive, parsed.itemClass) }
    }

    /// Returns the filters for certificates and identities.
    ///
    /// For other classes two of them throw, and the rest have no effect, as on Apple's systems.
    private func certificateFilters(
        of parsed: ParsedDictionary
    ) throws(KeychainError) -> [MatchFilter] {
        let forCertificates = parsed.itemClass == .certificate || parsed.itemClass == .identity
        for key in [QueryKey.matchIssuers, .matchPolicy] where parsed.keys[key] != nil {
            guard forCertificates else {
                throw KeychainError(.unimplemented, "\(key.rawValue) is for certificates only")
            }
        }
        guard forCertificates else { return [] }
        var filters: [MatchFilter] = []
        if case .array(let names)? = parsed.keys[.matchIssuers] {
            filters.append(.issuers(names.compactMap(Self.bytes)))
        }
        if let address = parsed.keys[.matchEmailAddress].flatMap(ValueShape.text) {
            filters.append(.emailAddress(address))
        }
        switch parsed.keys[.matchValidOnDate] {
        case .date(let moment)?: filters.append(.validOn(moment))
        case .null?: filters.append(.validOn(nil))
        default: break
        }
        if parsed.keys[.matchTrustedOnly].flatMap(ValueShape.bool) == true {
            filters.append(.trustedOnly)
        }
        if let policy = parsed.keys[.matchPolicy].flatMap(ValueShape.policy) {
            filters.append(.policy(policy))
        }
        return filters
    }

    private static func bytes(_ value: AttributeValue) -> [UInt8]? {
        if case .data(let bytes) = value { bytes } else { nil }
    }
}

// SecItemDelete.
extension QueryParser {
    /// Parses the dictionary of a `SecItemDelete`.
    package mutating func delete(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> DeleteQuery {
        let parsed = try parse(dictionary)
        try checkMatchKeys(of: parsed)
        var query = DeleteQuery(selection: try selection(from: parsed))
        query.authentication = try authentication(of: parsed)
        query.leavesTombstones = parsed.keys[.useTombstones].flatMap(ValueShape.flag)
        return query
    }
}
