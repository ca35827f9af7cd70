import Secrets

// SecItemUpdate.
extension QueryParser {
    /// Parses both dictionaries of a `SecItemUpdate`.
    package mutating func update(
        _ dictionary: AttributeDictionary,
        with changes: AttributeDictionary
    ) throws(KeychainError) -> UpdateQuery {
        let parsed = try parse(dictionary)
        try checkMatchKeys(of: parsed)
        try checkReturnKeys(of: parsed)
        let selection = try selection(from: parsed)
        var query = UpdateQuery(
            selection: selection,
            changes: try self.changes(changes, of: parsed.itemClass)
        )
        query.authentication = try authentication(of: parsed)
        return query
    }

    /// Parses the search for an item whose access control is to be replaced.
    ///
    /// - Throws: `errSecParam`, also for an identity, which has no access control of its own.
    package mutating func replacement(
        _ dictionary: AttributeDictionary,
        protection: ProtectionClass?
    ) throws(KeychainError) -> UpdateQuery {
        let parsed = try parse(dictionary)
        guard parsed.itemClass != .identity else {
            throw KeychainError(.param, "an identity has no access control: name its key")
        }
        try checkMatchKeys(of: parsed)
        try checkReturnKeys(of: parsed)
        var changes = Changes()
        if let protection { changes.protection = try usable(protection, parsed.itemClass) }
        var query = UpdateQuery(selection: try selection(from: parsed), changes: changes)
        query.authentication = try authentication(of: parsed)
        return query
    }

    private mutating func checkReturnKeys(of parsed: ParsedDictionary) throws(KeychainError) {
        guard !parsed.returns.isEmpty else { return }
        guard profiles.ignoresMatchKeysInWrites else {
            let reason = "SecItemUpdate returns nothing"
            try refuse(.returnKeyInUpdate, parsed.itemClass, .param, reason)
        }
        note(.returnKeyInUpdate, parsed.itemClass)
    }

    private mutating func changes(
        _ dictionary: AttributeDictionary,
        of itemClass: ItemClass
    ) throws(KeychainError) -> Changes {
        guard dictionary.foreignKeyCount == 0, dictionary.values.count <= QueryKey.countLimit
        else { throw KeychainError(.param, "the new values must be a dictionary of attributes") }
        var changes = Changes()
        for raw in dictionary.values.keys.sorted() {
            guard let value = dictionary[raw] else { continue }
            try take(raw, value, of: itemClass, into: &changes)
        }
        if let stated = changes.protection {
            if let control = changes.accessControl {
                try checkAgreement(stated, control, itemClass)
            }
            changes.protection = try usable(stated, itemClass)
        }
        return changes
    }

    private mutating func take(
        _ raw: String,
        _ value: AttributeValue,
        of itemClass: ItemClass,
        into changes: inout Changes
    ) throws(KeychainError) {
        switch KeyGrammar(raw) {
        case .attribute(let attribute):
            try take(attribute, value, of: itemClass, into: &changes)
        case .ignored: break
        case .key(.valueData, _, _):
            let secret = try Self.secret(from: value)
            try checkSize(secret, itemClass)
            changes.data = secret
        case .key, .unknownMatch, .malformed:
            let status: SecurityStatus =
                profiles.behavior.foreignUpdateKey == .param ? .param : .noSuchAttribute
            let reason = "\(ParsedDictionary.quote(raw)) is not allowed among the new values"
            try refuse(.foreignUpdateKey, itemClass, status, reason)
        }
    }

    private mutating func take(
        _ attribute: Attribute,
        _ value: AttributeValue,
        of itemClass: ItemClass,
        into changes: inout Changes
    ) throws(KeychainError) {
        let spec = try spec(attribute, in: itemClass)
        guard !spec.traits.contains(.ignoredInUpdate) else { return }
        switch attribute {
        case .accessible: changes.protection = try protection(from: value)
        case .accessControl: changes.accessControl = try newAccessControl(value, itemClass)
        case .accessGroup: changes.accessGroup = try newAccessGroup(value)
        case .synchronizable: changes.isSynchronizable = try flag(value, "sync")
        default: changes.attributes[attribute] = try coerce(value, for: spec)
        }
    }

    private mutating func newAccessControl(
        _ value: AttributeValue,
        _ itemClass: ItemClass
    ) throws(KeychainError) -> AccessControl {
        guard case .accessControl(let control) = value else {
            let reason = "kSecAttrAccessControl does not accept a \(value.typeName)"
            throw KeychainError(.param, reason)
        }
        try control.flags.requireAllowed()
        guard profiles.behavior.accessControlUpdate == .allow else {
            let reason = "an access control cannot be changed: delete the item and add it again"
            try refuse(.accessControlUpdate, itemClass, .param, reason)
        }
        note(.accessControlUpdate, itemClass)
        return control
    }

    private func newAccessGroup(_ value: AttributeValue) throws(KeychainError) -> String {
        guard profiles.behavior.accessGroupUpdate == .allow else {
            let reason = "an update cannot move an item to another access group: add it there"
            throw KeychainError(.param, reason)
        }
        return try accessGroup(from: value)
    }
}
