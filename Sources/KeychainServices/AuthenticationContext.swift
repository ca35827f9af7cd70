import CoreFoundation
import KeychainModel

/// What the keychain asks of the object under `kSecUseAuthenticationContext`.
///
/// The context's class is declared further up; here it is known by what it answers.
package protocol AuthenticationContext: AnyObject, Sendable {
    /// What a call that begins now takes from the context.
    var reference: ContextReference { get }
}

/// How a key wants to be used that somebody has to release: what its query or creation said.
///
/// The context is kept alive as long as the key is, and asked anew for every use.
struct KeyAuthentication: Sendable {
    private let context: (any AuthenticationContext)?
    private let interface: AuthenticationInterface
    private let reason: String?

    /// As the caller's dictionary says.
    init(_ dictionary: CFDictionary) {
        context = dictionary[kSecUseAuthenticationContext] as? any AuthenticationContext
        reason = dictionary[QueryKey.useOperationPrompt.rawValue as NSString] as? String
        let word = dictionary[kSecUseAuthenticationUI] as? String
        interface = word == QueryKey.Word.interfaceFail ? .fail : .allow
    }

    /// The terms of a use that begins now.
    var terms: AuthenticationTerms {
        var terms = AuthenticationTerms(context: context?.reference)
        terms.interface = interface
        terms.reason = reason
        return terms
    }
}
