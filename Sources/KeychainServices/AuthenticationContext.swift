import CoreFoundation
import KeychainModel

/// The keychain's view of the object under `kSecUseAuthenticationContext`.
///
/// The class of the context is declared in a module above this one, which knows it only by this
/// protocol.
package protocol AuthenticationContext: AnyObject, Sendable {
    /// The reference to the context for a call that starts now.
    var reference: ContextReference { get }
}

/// The authentication for a key whose use needs a proof, from its query or its creation.
///
/// The context lives as long as the key, and is consulted for every use.
struct KeyAuthentication: Sendable {
    private let context: (any AuthenticationContext)?
    private let interface: AuthenticationInterface
    private let reason: String?

    /// Reads the authentication from the caller's dictionary.
    init(_ dictionary: CFDictionary) {
        context = dictionary[kSecUseAuthenticationContext] as? any AuthenticationContext
        reason = dictionary[QueryKey.useOperationPrompt.rawValue as NSString] as? String
        let word = dictionary[kSecUseAuthenticationUI] as? String
        interface = word == QueryKey.Word.interfaceFail ? .fail : .allow
    }

    /// The terms of a use that starts now.
    var terms: AuthenticationTerms {
        var terms = AuthenticationTerms(context: context?.reference)
        terms.interface = interface
        terms.reason = reason
        return terms
    }
}
