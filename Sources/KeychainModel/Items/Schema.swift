// ★ Table: every attribute of every class. The parser, the DDL, the returned dictionaries and the
// tests read it. A new attribute is one row here; a searchable one also needs a step of the store.

/// The item schema.
///
/// - Source: requirements CLS-01 to CLS-31; Documentation/Spec/item.md §2.
package enum Schema {
    private static let all = Set(ItemClass.stored)
    private static let passwords: Set<ItemClass> = [.genericPassword, .internetPassword]
    private static let generic: Set<ItemClass> = [.genericPassword]
    private static let internet: Set<ItemClass> = [.internetPassword]
    private static let certificates: Set<ItemClass> = [.certificate]
    private static let keys: Set<ItemClass> = [.key]

    private static let keyPart: AttributeTraits = [.primaryKey, .searchable, .defaulted]

    package static let rows: [AttributeSpec] = common + password + certificate + key

    private static let common: [AttributeSpec] = [
        .init(.accessGroup, "kSecAttrAccessGroup", .string, all, [.primaryKey, .searchable]),
        .init(
            .synchronizable,
            "kSecAttrSynchronizable",
            .number,
            all,
            [.primaryKey, .defaulted, .plainColumn]
        ),
        .init(
            .tombstone,
            "kSecAttrTombstone",
            .number,
            all,
            [.defaulted, .plainColumn, .hiddenFromAdd, .ignoredInUpdate]
        ),
        .init(.accessible, "kSecAttrAccessible", .accessible, all, [.plainColumn]),
        .init(.accessControl, "kSecAttrAccessControl", .accessControl, all, []),
        .init(.creationDate, "kSecAttrCreationDate", .date, all, [.searchable, .systemManaged]),
        .init(
            .modificationDate,
            "kSecAttrModificationDate",
            .date,
            all,
            [.searchable, .systemManaged, .ignoredInUpdate]
        ),
        .init(.label, "kSecAttrLabel", .blob, all, [.searchable]),
        .init(.alias, "kSecAttrAlias", .blob, all, [.searchable]),
        .init(.syncViewHint, "kSecAttrSyncViewHint", .string, all, [.searchable]),
        .init(
            .multiUser,
            nil,
            .uuid,
            all,
            [.searchable, .defaulted, .systemManaged, .hiddenFromAdd, .ignoredInUpdate]
        ),
        .init(.sharingGroup, "kSecAttrSharingGroup", .string, all, [.privileged]),
        .init(.systemBound, "kSecAttrSysBound", .number, all, [.privileged]),
        .init(.appClipItem, "kSecAttrAppClipItem", .number, all, [.refused]),
        .init(.tokenID, "kSecAttrTokenID", .string, passwords.union(certificates), [.searchable]),
        .init(
            .tokenAttributes,
            nil,
            .data,
            generic.union(certificates).union(keys),
            [.hiddenFromServices]
        ),
    ]

    private static let password: [AttributeSpec] = [
        .init(.account, "kSecAttrAccount", .blob, passwords, keyPart),
        .init(.service, "kSecAttrService", .blob, generic, keyPart),
        .init(.generic, "kSecAttrGeneric", .blob, generic, [.searchable]),
        .init(.securityDomain, "kSecAttrSecurityDomain", .blob, internet, keyPart),
        .init(.server, "kSecAttrServer", .blob, internet, keyPart),
        .init(.protocolName, "kSecAttrProtocol", .number, internet, keyPart),
        .init(.authenticationType, "kSecAttrAuthenticationType", .blob, internet, keyPart),
        .init(.port, "kSecAttrPort", .number, internet, keyPart),
        .init(.path, "kSecAttrPath", .blob, internet, keyPart),
        .init(.description, "kSecAttrDescription", .blob, passwords, [.searchable]),
        .init(.comment, "kSecAttrComment", .blob, passwords, [.searchable]),
        .init(.creator, "kSecAttrCreator", .number, passwords, [.searchable]),
        .init(.type, "kSecAttrType", .number, passwords, [.searchable]),
        .init(.scriptCode, "kSecAttrScriptCode", .number, passwords, [.searchable]),
        .init(.isInvisible, "kSecAttrIsInvisible", .number, passwords, [.searchable]),
        .init(.isNegative, "kSecAttrIsNegative", .number, passwords, [.searchable]),
        .init(.hasCustomIcon, "kSecAttrHasCustomIcon", .number, passwords, [.searchable]),
        .init(.protected, "kSecProtectedDataItemAttr", .blob, passwords, [.searchable]),
        .init(.lookupPairs, nil, .pairs, generic, [.pairTable, .hiddenFromServices]),
    ]

    private static let certificate: [AttributeSpec] = [
        .init(.certificateType, "kSecAttrCertificateType", .number, certificates, keyPart),
        .init(.issuer, "kSecAttrIssuer", .data, certificates, keyPart),
        .init(.serialNumber, "kSecAttrSerialNumber", .data, certificates, keyPart),
        .init(
            .certificateEncoding,
            "kSecAttrCertificateEncoding",
            .number,
            certificates,
            [.searchable]
        ),
        .init(.subject, "kSecAttrSubject", .data, certificates, [.searchable]),
        .init(.subjectKeyID, "kSecAttrSubjectKeyID", .data, certificates, [.searchable]),
        .init(.publicKeyHash, "kSecAttrPublicKeyHash", .data, certificates, [.searchable]),
    ]

    private static let key: [AttributeSpec] = [
        .init(.keyClass, "kSecAttrKeyClass", .number, keys, keyPart),
        .init(.applicationLabel, "kSecAttrApplicationLabel", .data, keys, keyPart),
        .init(.applicationTag, "kSecAttrApplicationTag", .blob, keys, keyPart),
        .init(.type, "kSecAttrKeyType", .number, keys, keyPart),
        .init(.keySizeInBits, "kSecAttrKeySizeInBits", .number, keys, keyPart),
        .init(.effectiveKeySize, "kSecAttrEffectiveKeySize", .number, keys, keyPart),
        .init(.tokenID, "kSecAttrTokenID", .string, keys, [.primaryKey, .searchable]),
        .init(.creator, "kSecAttrKeyCreator", .number, keys, [.searchable, .defaulted]),
        .init(.startDate, "kSecAttrStartDate", .date, keys, [.searchable, .defaulted]),
        .init(.endDate, "kSecAttrEndDate", .date, keys, [.searchable, .defaulted]),
        .init(.isPermanent, "kSecAttrIsPermanent", .number, keys, [.searchable]),
        .init(.isPrivate, "kSecAttrIsPrivate", .number, keys, [.searchable]),
        .init(.isModifiable, "kSecAttrIsModifiable", .number, keys, [.searchable]),
        .init(.isSensitive, "kSecAttrIsSensitive", .number, keys, [.searchable]),
        .init(.wasAlwaysSensitive, "kSecAttrWasAlwaysSensitive", .number, keys, [.searchable]),
        .init(.isExtractable, "kSecAttrIsExtractable", .number, keys, [.searchable]),
        .init(.wasNeverExtractable, "kSecAttrWasNeverExtractable", .number, keys, [.searchable]),
        .init(.canEncrypt, "kSecAttrCanEncrypt", .number, keys, [.searchable]),
        .init(.canDecrypt, "kSecAttrCanDecrypt", .number, keys, [.searchable]),
        .init(.canDerive, "kSecAttrCanDerive", .number, keys, [.searchable]),
        .init(.canSign, "kSecAttrCanSign", .number, keys, [.searchable]),
        .init(.canVerify, "kSecAttrCanVerify", .number, keys, [.searchable]),
        .init(.canSignRecover, "kSecAttrCanSignRecover", .number, keys, [.searchable]),
        .init(.canVerifyRecover, "kSecAttrCanVerifyRecover", .number, keys, [.searchable]),
        .init(.canWrap, "kSecAttrCanWrap", .number, keys, [.searchable]),
        .init(.canUnwrap, "kSecAttrCanUnwrap", .number, keys, [.searchable]),
    ]

    /// One entry for each class, by its index.
    private static let byClass: [SortedEntries<Attribute, AttributeSpec>] = {
        var tables: [ItemClass: SortedEntries<Attribute, AttributeSpec>] = [:]
        for row in rows {
            for itemClass in row.classes { tables[itemClass, default: [:]][row.attribute] = row }
        }
        // An identity has no table: its attributes are first a certificate's, then a key's.
        tables[.identity] = (tables[.key] ?? [:]).merging(tables[.certificate] ?? [:]) { $1 }
        return ItemClass.allCases.map { tables[$0] ?? [:] }
    }()

    private static let ordered: [[AttributeSpec]] = byClass.map(\.values)

    /// Returns the row for an attribute of a class; nil if the class does not have it.
    package static func spec(_ attribute: Attribute, in itemClass: ItemClass) -> AttributeSpec? {
        byClass[itemClass.index][attribute]
    }

    /// Returns the rows of a class, ordered by the attributes' four letters.
    package static func specs(of itemClass: ItemClass) -> [AttributeSpec] {
        ordered[itemClass.index]
    }

    private static func columns(
        _ itemClass: ItemClass,
        with traits: AttributeTraits
    ) -> [Attribute] {
        specs(of: itemClass).filter { $0.traits.isSuperset(of: traits) }.map(\.attribute)
    }

    private static let digestColumnTable = ItemClass.allCases.map { itemClass in
        itemClass == .identity ? [] : columns(itemClass, with: .searchable)
    }
    private static let hiddenFromAddTable = ItemClass.allCases.map { itemClass in
        columns(itemClass, with: .hiddenFromAdd)
    }
    private static let primaryKeyTable = ItemClass.allCases.map { itemClass in
        itemClass == .identity ? [] : columns(itemClass, with: .primaryKey)
    }
    private static let primaryKeyKinds = ItemClass.allCases.map { itemClass in
        primaryKey(of: itemClass).compactMap { spec($0, in: itemClass)?.kind }
    }

    /// Returns the attributes with a digest column, in the order of their columns.
    package static func digestColumns(of itemClass: ItemClass) -> [Attribute] {
        digestColumnTable[itemClass.index]
    }

    /// Returns the attributes that an add does not return.
    package static func hiddenFromAdd(of itemClass: ItemClass) -> [Attribute] {
        hiddenFromAddTable[itemClass.index]
    }

    /// Returns the attributes of the primary key, in the order of its digest.
    package static func primaryKey(of itemClass: ItemClass) -> [Attribute] {
        primaryKeyTable[itemClass.index]
    }

    /// Returns the kinds of those attributes, in the same order.
    package static func primaryKeyKinds(of itemClass: ItemClass) -> [AttributeKind] {
        primaryKeyKinds[itemClass.index]
    }

    /// The attributes of our own programs, which Keychain Services neither accepts nor returns.
    package static let hiddenFromServices: [Attribute] =
        rows.filter { $0.traits.contains(.hiddenFromServices) }.map(\.attribute)

    /// Lists of attributes with an index of their own, for common searches.
    ///
    /// - Source: requirement STO-06.
    package static let indexes: [ItemClass: [[Attribute]]] = [
        .genericPassword: [[.service, .account], [.account]],
        .internetPassword: [[.server, .account], [.account]],
        .certificate: [[.subject], [.issuer, .serialNumber], [.publicKeyHash]],
        .key: [[.applicationTag], [.applicationLabel]],
    ]

    /// Attributes that many items of a class lack, with an index of the items that have them.
    ///
    /// - Source: requirement STO-06.
    package static let sparseIndexes: [ItemClass: [Attribute]] = Dictionary(
        uniqueKeysWithValues: ItemClass.stored.map { ($0, [.label]) }
    )
}
