import CoreFoundation
import KeychainModel

// What a query matches, returns, carries and how it is answered.

/// Certificates and identities that satisfy a policy.
nonisolated(unsafe) public let kSecMatchPolicy: CFString = ConstantString(query: .matchPolicy)
/// Items among those listed.
nonisolated(unsafe) public let kSecMatchItemList: CFString = ConstantString(query: .matchItemList)
/// Items in the file-based keychains listed.
nonisolated(unsafe) public let kSecMatchSearchList: CFString = ConstantString(
    query: .matchSearchList
)
/// Certificates whose chain holds one of these issuers, each as DER.
nonisolated(unsafe) public let kSecMatchIssuers: CFString = ConstantString(query: .matchIssuers)
/// Certificates that hold this mail address or none.
nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = ConstantString(
    query: .matchEmailAddress
)
/// Certificates whose subject holds this text.
nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = ConstantString(
    query: .matchSubjectContains
)
/// Certificates whose subject begins with this text.
nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = ConstantString(
    "m_SubjectStartsWith"
)
/// Certificates whose subject ends with this text.
nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = ConstantString(
    "m_SubjectEndsWith"
)
/// Certificates whose subject is this text.
nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = ConstantString(
    "m_SubjectWholeString"
)
/// Whether case is ignored.
nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = ConstantString(
    query: .matchCaseInsensitive
)
/// Whether diacritics are ignored.
nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = ConstantString(
    "m_DiacriticInsensitive"
)
/// Whether the width of characters is ignored.
nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = ConstantString(
    "m_WidthInsensitive"
)
/// Whether only trusted certificates match.
nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = ConstantString(
    query: .matchTrustedOnly
)
/// Certificates and keys valid on this date.
nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = ConstantString(
    query: .matchValidOnDate
)
/// How many results to return: a number or a `kSecMatchLimit…` value.
nonisolated(unsafe) public let kSecMatchLimit: CFString = ConstantString(query: .matchLimit)
/// The first match.
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = ConstantString("m_LimitOne")
/// Every match.
nonisolated(unsafe) public let kSecMatchLimitAll: CFString = ConstantString("m_LimitAll")

/// Whether to return the secret data.
nonisolated(unsafe) public let kSecReturnData: CFString = ConstantString(query: .returnData)
/// Whether to return the attributes.
nonisolated(unsafe) public let kSecReturnAttributes: CFString = ConstantString(
    query: .returnAttributes
)
/// Whether to return a reference object.
nonisolated(unsafe) public let kSecReturnRef: CFString = ConstantString(query: .returnReference)
/// Whether to return a reference that can be stored.
nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = ConstantString(
    query: .returnPersistentReference
)

/// The secret data.
nonisolated(unsafe) public let kSecValueData: CFString = ConstantString(query: .valueData)
/// A reference object.
nonisolated(unsafe) public let kSecValueRef: CFString = ConstantString(query: .valueReference)
/// A reference that was stored.
nonisolated(unsafe) public let kSecValuePersistentRef: CFString = ConstantString(
    query: .valuePersistentReference
)

/// The references to work on.
nonisolated(unsafe) public let kSecUseItemList: CFString = ConstantString(query: .useItemList)
/// The file-based keychain to add to.
nonisolated(unsafe) public let kSecUseKeychain: CFString = ConstantString("u_Keychain")
/// Whether macOS is to use its data protection keychain; always so here.
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = ConstantString(
    query: .noLegacy
)
/// Whether to use the keychain that all users share.
nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = ConstantString(
    "u_UserIndependentKeychain"
)
/// The `LAContext` that answers for the person.
nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = ConstantString(
    query: .useAuthenticationContext
)
/// Whether prompts are allowed; a `kSecUseAuthenticationUI…` value.
nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = ConstantString(
    query: .useAuthenticationUI
)
/// Items that need a prompt are left out.
nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = ConstantString("u_AuthUIS")
/// A prompt may be shown.
@available(
    *,
    deprecated,
    message: "Prompts are allowed unless LAContext.interactionNotAllowed is set"
)
nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = ConstantString("u_AuthUIA")
/// A needed prompt is an error.
@available(
    *,
    deprecated,
    message: "Use kSecUseAuthenticationContext with LAContext.interactionNotAllowed"
)
nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = ConstantString("u_AuthUIF")
/// Whether a needed prompt is an error.
@available(
    *,
    deprecated,
    message: "Use kSecUseAuthenticationContext with LAContext.interactionNotAllowed"
)
nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = ConstantString(
    query: .useNoAuthenticationUI
)
/// The reason shown in a prompt.
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
