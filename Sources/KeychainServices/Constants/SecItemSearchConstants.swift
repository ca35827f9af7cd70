import CoreFoundation
import KeychainModel

// The constants for matching, returned forms, values and the use of the keychain.

/// A policy that matching certificates and identities satisfy.
nonisolated(unsafe) public let kSecMatchPolicy: CFString = ConstantString(query: .matchPolicy)
/// The items among which to search.
nonisolated(unsafe) public let kSecMatchItemList: CFString = ConstantString(query: .matchItemList)
/// The file-based keychains in which to search.
nonisolated(unsafe) public let kSecMatchSearchList: CFString = ConstantString(
    query: .matchSearchList
)
/// Issuers in DER, one of which the chain of a matching certificate contains.
nonisolated(unsafe) public let kSecMatchIssuers: CFString = ConstantString(query: .matchIssuers)
/// An e-mail address that matching certificates contain, unless they contain none.
nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = ConstantString(
    query: .matchEmailAddress
)
/// Text that the subject of a matching certificate contains.
nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = ConstantString(
    query: .matchSubjectContains
)
/// Text with which the subject of a matching certificate begins.
nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = ConstantString(
    "m_SubjectStartsWith"
)
/// Text with which the subject of a matching certificate ends.
nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = ConstantString(
    "m_SubjectEndsWith"
)
/// The whole subject of a matching certificate, as text.
nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = ConstantString(
    "m_SubjectWholeString"
)
/// Whether text matches regardless of case.
nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = ConstantString(
    query: .matchCaseInsensitive
)
/// Whether text matches regardless of diacritics.
nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = ConstantString(
    "m_DiacriticInsensitive"
)
/// Whether text matches regardless of the width of its characters.
nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = ConstantString(
    "m_WidthInsensitive"
)
/// Whether only trusted certificates match.
nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = ConstantString(
    query: .matchTrustedOnly
)
/// A date on which matching certificates and keys are valid.
nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = ConstantString(
    query: .matchValidOnDate
)
/// The largest number of results: a number or a `kSecMatchLimit…` value.
nonisolated(unsafe) public let kSecMatchLimit: CFString = ConstantString(query: .matchLimit)
/// One result, the first match.
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = ConstantString("m_LimitOne")
/// As many results as match.
nonisolated(unsafe) public let kSecMatchLimitAll: CFString = ConstantString("m_LimitAll")

/// Whether to return the secret data.
nonisolated(unsafe) public let kSecReturnData: CFString = ConstantString(query: .returnData)
/// Whether to return the attributes.
nonisolated(unsafe) public let kSecReturnAttributes: CFString = ConstantString(
    query: .returnAttributes
)
/// Whether to return a reference object.
nonisolated(unsafe) public let kSecReturnRef: CFString = ConstantString(query: .returnReference)
/// Whether to return a reference that you can store.
nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = ConstantString(
    query: .returnPersistentReference
)

/// The secret data.
nonisolated(unsafe) public let kSecValueData: CFString = ConstantString(query: .valueData)
/// A reference object: a ``SecKey``, ``SecCertificate`` or ``SecIdentity``.
nonisolated(unsafe) public let kSecValueRef: CFString = ConstantString(query: .valueReference)
/// A persistent reference that an earlier call returned.
nonisolated(unsafe) public let kSecValuePersistentRef: CFString = ConstantString(
    query: .valuePersistentReference
)

/// The references to search.
nonisolated(unsafe) public let kSecUseItemList: CFString = ConstantString(query: .useItemList)
/// The file-based keychain to add to.
nonisolated(unsafe) public let kSecUseKeychain: CFString = ConstantString("u_Keychain")
/// Whether macOS uses its data protection keychain; this keychain always is one.
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = ConstantString(
    query: .noLegacy
)
/// Whether to use the keychain that all users share.
nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = ConstantString(
    "u_UserIndependentKeychain"
)
/// The `LAContext` that authenticates the user.
nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = ConstantString(
    query: .useAuthenticationContext
)
/// Whether prompts are allowed; a `kSecUseAuthenticationUI…` value.
nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = ConstantString(
    query: .useAuthenticationUI
)
/// A search leaves out items that need a prompt.
nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = ConstantString("u_AuthUIS")
/// A call may prompt the user.
@available(
    *,
    deprecated,
    message: "Prompts are allowed unless LAContext.interactionNotAllowed is set"
)
nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = ConstantString("u_AuthUIA")
/// A call that needs a prompt fails with `errSecInteractionNotAllowed`.
@available(
    *,
    deprecated,
    message: "Use kSecUseAuthenticationContext with LAContext.interactionNotAllowed"
)
nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = ConstantString("u_AuthUIF")
/// Whether a call that needs a prompt fails instead.
@available(
    *,
    deprecated,
    message: "Use kSecUseAuthenticationContext with LAContext.interactionNotAllowed"
)
nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = ConstantString(
    query: .useNoAuthenticationUI
)
/// The reason that a prompt shows.
@available(
    *,
    deprecated,
    message: "Use kSecUseAuthenticationContext with LAContext.localizedReason"
)
nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = ConstantString(
    query: .useOperationPrompt
)
/// The password in the entry of a shared web credential.
nonisolated(unsafe) public let kSecSharedPassword: CFString = ConstantString("spwd")
