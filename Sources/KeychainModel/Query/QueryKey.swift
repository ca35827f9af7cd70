// ★ Table: every key of a query dictionary that is not an attribute, and where it is legal.

/// A match, return, use or value key, or the class.
package struct QueryKey: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    private init(_ rawValue: String) { self.rawValue = rawValue }

    package static let itemClass = QueryKey("class")
    package static let noLegacy = QueryKey("nleg")

    package static let matchPolicy = QueryKey("m_Policy")
    package static let matchItemList = QueryKey("m_ItemList")
    package static let matchSearchList = QueryKey("m_SearchList")
    package static let matchIssuers = QueryKey("m_Issuers")
    package static let matchEmailAddress = QueryKey("m_EmailAddressIfPresent")
    package static let matchSubjectContains = QueryKey("m_SubjectContains")
    package static let matchHostOrSubdomain = QueryKey("m_HostOrSubdomainOfHost")
    package static let matchCaseInsensitive = QueryKey("m_CaseInsensitive")
    package static let matchTrustedOnly = QueryKey("m_TrustedOnly")
    package static let matchValidOnDate = QueryKey("m_ValidOnDate")
    package static let matchLimit = QueryKey("m_Limit")

    package static let returnData = QueryKey("r_Data")
    package static let returnAttributes = QueryKey("r_Attributes")
    package static let returnReference = QueryKey("r_Ref")
    package static let returnPersistentReference = QueryKey("r_PersistentRef")

    package static let valueData = QueryKey("v_Data")
    package static let valueReference = QueryKey("v_Ref")
    package static let valuePersistentReference = QueryKey("v_PersistentRef")

    package static let useItemList = QueryKey("u_ItemList")
    package static let useTombstones = QueryKey("u_Tomb")
    package static let useCredentialReference = QueryKey("u_CredRef")
    package static let useOperationPrompt = QueryKey("u_OpPrompt")
    package static let useNoAuthenticationUI = QueryKey("u_NoAuthUI")
    package static let useAuthenticationUI = QueryKey("u_AuthUI")
    package static let useAuthenticationContext = QueryKey("u_AuthCtx")

    /// The family of a key decides how each function treats it.
    package enum Group: Sendable, Hashable {
        case itemClass, match, returns, value, use
        /// Known to Apple's systems, without effect on this keychain.
        case ignored
    }

    /// What a value must be; anything else is `errSecParam`.
    package enum Shape: Sendable, Hashable {
        case bool, text, bytes, flag, limit, issuers, validityDate, classLetters, anything
    }

    /// One row: the key, its group, and the shape of its value.
    package struct Row: Sendable {
        package let key: QueryKey
        package let group: Group
        package let shape: Shape
    }

    package static let table: [Row] = [
        .init(key: .itemClass, group: .itemClass, shape: .classLetters),
        .init(key: .noLegacy, group: .ignored, shape: .anything),
        .init(key: .matchPolicy, group: .match, shape: .anything),
        .init(key: .matchItemList, group: .match, shape: .anything),
        .init(key: .matchSearchList, group: .match, shape: .anything),
        .init(key: .matchIssuers, group: .match, shape: .issuers),
        .init(key: .matchEmailAddress, group: .match, shape: .text),
        .init(key: .matchSubjectContains, group: .match, shape: .anything),
        .init(key: .matchHostOrSubdomain, group: .match, shape: .text),
        .init(key: .matchCaseInsensitive, group: .match, shape: .anything),
        .init(key: .matchTrustedOnly, group: .match, shape: .bool),
        .init(key: .matchValidOnDate, group: .match, shape: .validityDate),
        .init(key: .matchLimit, group: .match, shape: .limit),
        .init(key: .returnData, group: .returns, shape: .bool),
        .init(key: .returnAttributes, group: .returns, shape: .bool),
        .init(key: .returnReference, group: .returns, shape: .bool),
        .init(key: .returnPersistentReference, group: .returns, shape: .bool),
        .init(key: .valueData, group: .value, shape: .bytes),
        .init(key: .valueReference, group: .value, shape: .anything),
        .init(key: .valuePersistentReference, group: .value, shape: .bytes),
        .init(key: .useItemList, group: .use, shape: .anything),
        .init(key: .useTombstones, group: .use, shape: .flag),
        .init(key: .useCredentialReference, group: .use, shape: .bytes),
        .init(key: .useOperationPrompt, group: .use, shape: .text),
        .init(key: .useNoAuthenticationUI, group: .use, shape: .flag),
        .init(key: .useAuthenticationUI, group: .use, shape: .text),
        .init(key: .useAuthenticationContext, group: .use, shape: .anything),
    ]

    package static let rows = Dictionary(
        uniqueKeysWithValues: table.map { ($0.key.rawValue, $0) }
    )
}

extension QueryKey {
    /// Values of `kSecMatchLimit`, `kSecAttrSynchronizable` and `kSecUseAuthenticationUI`.
    package enum Word {
        package static let limitOne = "m_LimitOne"
        package static let limitAll = "m_LimitAll"
        package static let synchronizableAny = "syna"
        package static let interfaceAllow = "u_AuthUIA"
        package static let interfaceFail = "u_AuthUIF"
        package static let interfaceSkip = "u_AuthUIS"
    }

    /// More keys than this in one dictionary are refused.
    package static let countLimit = 128
}
