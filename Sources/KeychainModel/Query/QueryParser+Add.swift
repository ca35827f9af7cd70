import Secrets

// SecItemAdd.
extension QueryParser {
    /// Parses the dictionary of a `SecItemAdd`.
    package mutating func add(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> AddQuery {
        let parsed = try parse(dictionary)
        try checkNothingToMatch(in: parsed)
        guard parsed.itemClass != .identity else {
            let reason = "an identity is a certificate and its key: add those"
            throw KeychainError(.param, reason)
        }
        if case .row? = parsed.reference?.target {
            throw KeychainError(.param, "SecItemAdd accepts no persistent reference")
        }
        var query = AddQuery(
            itemClass: parsed.itemClass,
            protection: Self.defaultProtection(of: parsed.itemClass)
        )
        query.authentication = try authentication(of: parsed)
        query.returns = parsed.returns
        query.publicKeyHash = parsed.publicKeyHash
        try takeAttributes(of: parsed, into: &query)
        try takeProtection(of: parsed, into: &query)
        try checkKeychain(of: query, dictionary[QueryKey.noLegacy.rawValue])
        try checkCombinations(of: query)
        try takeData(of: parsed, into: &query)
        return query
    }

    /// Throws for match keys, unless the system ignores them.
    ///
    /// Unlike for an update or delete, no behavior switch changes this (contradiction
    /// `match-keys-in-add`).
    private mutating func checkNothingToMatch(
        in parsed: ParsedDictionary
    ) throws(KeychainError) {
        guard parsed.hasMatchKey else { return }
        guard profiles.system.ignoresMatchKeysInWrites else {
            let reason = "SecItemAdd accepts no match keys"
            try refuse(.matchKeyInWrite, parsed.itemClass, .param, reason)
        }
        note(.matchKeyInWrite, parsed.itemClass)
    }

    /// Returns the protection of an item added without one.
    ///
    /// Certificates are public; everything else requires an unlocked device.
    /// - Source: requirements ACC-02, CLS-28.
    package static func defaultProtection(of itemClass: ItemClass) -> ProtectionClass {
        itemClass == .certificate ? .always : .whenUnlocked
    }

    private mutating func takeAttributes(
        of parsed: ParsedDictionary,
        into query: inout AddQuery
    ) throws(KeychainError) {
        for attribute in parsed.attributes.keys.sorted() {
            guard let value = parsed.attributes[attribute] else { continue }
            let spec = try spec(attribute, in: parsed.itemClass)
            switch attribute {
            case .accessible, .accessControl, .tombstone: continue
            case .accessGroup: query.accessGroup = try accessGroup(from: value)
            case .synchronizable: query.isSynchronizable = try isSynchronizable(value)
            default:
                let coerced = try coerce(value, for: spec)
                if !spec.traits.contains(.systemManaged) { query.attributes[attribute] = coerced }
            }
        }
        try checkKeyType(of: query)
        noteOwnLabel(of: query)
    }

    /// Notes a label that the caller chose, which hides the key from a search for the hash
    /// (CLS-25).
    private mutating func noteOwnLabel(of query: AddQuery) {
        guard let hash = query.publicKeyHash, query.itemClass == .key,
            let label = query.attributes[.applicationLabel], label != .data(hash)
        else { return }
        note(.suppliedApplicationLabel, .key)
    }

    /// Returns the flag; "any" is for searches, and an add stores a local item.
    private func isSynchronizable(_ value: AttributeValue) throws(KeychainError) -> Bool {
        if case .string(QueryKey.Word.synchronizableAny) = value { return false }
        return try flag(value, "sync")
    }

    private mutating func checkKeyType(of query: AddQuery) throws(KeychainError) {
        guard query.itemClass == .key, query.attributes[.type] == nil else { return }
        guard profiles.behavior.keyWithoutType == .allow else {
            try refuse(.keyWithoutType, .key, .param, "a key needs kSecAttrKeyType")
        }
        note(.keyWithoutType, .key)
    }

    private mutating func takeProtection(
        of parsed: ParsedDictionary,
        into query: inout AddQuery
    ) throws(KeychainError) {
        let stated = try parsed.attributes[.accessible].map(protection(from:))
        let control = try accessControl(of: parsed)
        if let stated, let control {
            try checkAgreement(stated, control, parsed.itemClass)
        }
        if stated == nil, control == nil, parsed.itemClass != .certificate {
            note(.missingAccessible, parsed.itemClass)
        }
        query.accessControl = control
        let chosen = control?.protection ?? stated ?? query.protection
        query.protection = try usable(chosen, parsed.itemClass)
    }

    /// Throws on a Mac if an access control does not name the data protection keychain
    /// (ERR-03, MAC-03); keys of the secure element are only there anyway.
    private func checkKeychain(
        of query: AddQuery,
        _ dataProtection: AttributeValue?
    ) throws(KeychainError) {
        guard profiles.system.needsDataProtectionFlag, let control = query.accessControl,
            !control.flags.isEmpty, query.attributes[.tokenID] == nil,
            dataProtection.flatMap(ValueShape.bool) != true
        else { return }
        let reason = "an access control needs kSecUseDataProtectionKeychain on a Mac"
        throw KeychainError(.param, reason)
    }

    func accessControl(of parsed: ParsedDictionary) throws(KeychainError) -> AccessControl? {
        guard let value = parsed.attributes[.accessControl] else { return nil }
        guard case .accessControl(let control) = value else {
            let reason = "kSecAttrAccessControl does not accept a \(value.typeName)"
            throw KeychainError(.param, reason)
        }
        try control.flags.requireAllowed()
        return control
    }

    /// Checks SAC-03: the documents exclude both attributes together; Apple's source may allow it.
    mutating func checkAgreement(
        _ stated: ProtectionClass,
        _ control: AccessControl,
        _ itemClass: ItemClass
    ) throws(KeychainError) {
        let agrees = stated == control.protection && control.flags.isEmpty
        guard agrees, profiles.behavior.agreeingAccessControl == .allow else {
            let rule = agrees ? DiagnosticRule.agreeingAccessControl : .accessibleAndAccessControl
            let reason = "kSecAttrAccessible and kSecAttrAccessControl exclude each other"
            try refuse(rule, itemClass, .param, reason)
        }
        note(.agreeingAccessControl, itemClass)
    }

    /// Returns the class that the profiles substitute for the stated one.
    mutating func usable(
        _ protection: ProtectionClass,
        _ itemClass: ItemClass
    ) throws(KeychainError) -> ProtectionClass {
        if protection.requiresPasscode, !profiles.system.hasFeature(sinceIOS: 8) {
            let reason = "\(protection.row.constant) came with iOS 8"
            throw KeychainError(.param, reason)
        }
        guard protection.row.isDeprecated, itemClass != .certificate else { return protection }
        // Deprecated with iOS 12 (ACC-37).
        if profiles.system.hasFeature(sinceIOS: 12) { note(.deprecatedAlways, itemClass) }
        switch profiles.behavior.deprecatedAlways {
        case .original: return protection
        case .remapToAfterFirstUnlock:
            return protection == .always ? .afterFirstUnlock : .afterFirstUnlockThisDeviceOnly
        case .reject:
            throw KeychainError(.param, "\(protection.row.constant) is not accepted here")
        }
    }

    /// Throws for combinations of attributes that exclude each other.
    mutating func checkCombinations(of query: AddQuery) throws(KeychainError) {
        guard query.isSynchronizable else { return }
        if query.accessControl != nil {
            let reason = "an item with an access control cannot be synchronizable"
            try refuse(.gatedAndSynchronizable, query.itemClass, .param, reason)
        }
        try checkSynchronizable(query.protection, query.itemClass)
    }

    mutating func checkSynchronizable(
        _ protection: ProtectionClass,
        _ itemClass: ItemClass
    ) throws(KeychainError) {
        guard protection.isThisDeviceOnly else { return }
        guard profiles.behavior.synchronizableThisDeviceOnly == .allow else {
            let reason = "a ThisDeviceOnly item cannot be synchronizable"
            try refuse(.synchronizableThisDeviceOnly, itemClass, .param, reason)
        }
        note(.synchronizableThisDeviceOnly, itemClass)
    }

    private mutating func takeData(
        of parsed: ParsedDictionary,
        into query: inout AddQuery
    ) throws(KeychainError) {
        guard let value = parsed.keys[.valueData] else { return }
        let secret = try Self.secret(from: value)
        query.data = secret
        try checkSize(secret, parsed.itemClass)
    }

    static func secret(from value: AttributeValue) throws(KeychainError) -> SharedSecret {
        switch value {
        case .secret(let secret): return secret
        case .data(let bytes): return SharedSecret(Secret(copying: bytes))
        default: throw KeychainError(.param, "kSecValueData accepts only data")
        }
    }

    /// Notes a finding above the advisory size, and throws above the limit.
    ///
    /// - Source: requirements CLS-29, STO-17.
    mutating func checkSize(_ data: SharedSecret, _ itemClass: ItemClass) throws(KeychainError) {
        let count = data.secret.byteCount
        if count > ItemLimits.dataByteCount {
            let reason =
                "kSecValueData has \(count) bytes; the limit is \(ItemLimits.dataByteCount)"
            throw KeychainError(.dataTooLarge, reason)
        }
        if count > ItemLimits.advisoryDataByteCount {
            note(.largeValue, itemClass, detail: "It has \(count) bytes.")
        }
    }
}

/// Sizes of `kSecValueData`, in bytes.
package enum ItemLimits {
    package static let dataByteCount = 16 * 1024 * 1024
    package static let advisoryDataByteCount = 4 * 1024
}
