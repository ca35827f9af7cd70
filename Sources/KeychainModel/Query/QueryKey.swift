// ★ Table: every key of a query dictionary that is not an attribute, and the calls that accept it.

/// A match, return, use or value key, or the class.
package enum QueryKey: Hashable, Comparable, Sendable, CaseIterable {
    case itemClass, noLegacy
    case matchPolicy, matchItemList, matchSearchList, matchIssuers, matchEmailAddress,
        matchSubjectContains, matchHostOrSubdomain, matchCaseInsensitive, matchTrustedOnly,
        matchValidOnDate, matchLimit
    case returnData, returnAttributes, returnReference, returnPersistentReference
    case valueData, valueReference, valuePersistentReference
    case useItemList, useTombstones, useCredentialReference, useOperationPrompt,
        useNoAuthenticationUI, useAuthenticationUI, useAuthenticationContext

    /// The key as it occurs in dictionaries.
    package var rawValue: String {
        switch self {
        case .itemClass: "class"
        case .noLegacy: "nleg"
        case .matchPolicy: "m_Policy"
        case .matchItemList: "m_ItemList"
        case .matchSearchList: "m_SearchList"
        case .matchIssuers: "m_Issuers"
        case .matchEmailAddress: "m_EmailAddressIfPresent"
        case .matchSubjectContains: "m_SubjectContains"
        case .matchHostOrSubdomain: "m_HostOrSubdomainOfHost"
        case .matchCaseInsensitive: "m_CaseInsensitive"
        case .matchTrustedOnly: "m_TrustedOnly"
        case .matchValidOnDate: "m_ValidOnDate"
        case .matchLimit: "m_Limit"
        case .returnData: "r_Data"
        case .returnAttributes: "r_Attributes"
        case .returnReference: "r_Ref"
        case .returnPersistentReference: "r_PersistentRef"
        case .valueData: "v_Data"
        case .valueReference: "v_Ref"
        case .valuePersistentReference: "v_PersistentRef"
        case .useItemList: "u_ItemList"
        case .useTombstones: "u_Tomb"
        case .useCredentialReference: "u_CredRef"
        case .useOperationPrompt: "u_OpPrompt"
        case .useNoAuthenticationUI: "u_NoAuthUI"
        case .useAuthenticationUI: "u_AuthUI"
        case .useAuthenticationContext: "u_AuthCtx"
        }
    }

    /// The family of a key decides how each function treats it.
    package enum Group: UInt8, Sendable, Hashable {
        case itemClass, match, returns, value, use
        /// Known to Apple's systems, but without effect on this keychain.
        case ignored
    }

    /// A set of families.
    package struct Groups: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Creates a set of one family.
        package init(_ group: Group) { self.init(rawValue: 1 << group.rawValue) }
    }

    /// The required shape of a value; anything else is `errSecParam`.
    package enum Shape: Sendable, Hashable {
        case bool, text, bytes, flag, limit, issuers, validityDate, classLetters, policy, anything
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
        .init(key: .matchPolicy, group: .match, shape: .policy),
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

    /// The rows by their keys.
    package static let rows = SortedEntries(table.map { ($0.key.rawValue, $0) })
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

    /// The most keys in one dictionary; more are refused.
    package static let countLimit = 128
}
