import KeychainModel
import Secrets

/// What can be asked about keys of the secure element.
package enum ElementKeyRequest: Sendable, Hashable {
    /// Makes a key, stored or not, from the attributes of an add.
    ///
    /// A public half, described without its bytes, is stored in the same transaction.
    case make(
        AttributeDictionary,
        isPermanent: Bool,
        publicHalf: AttributeDictionary? = nil
    )
    /// Checks whether this device made a key; while it is locked, only what needs no class key.
    case check(ElementKeyHandle)
    /// Uses a key, by Apple's identifier for the algorithm.
    case use(
        ElementKeyHandle,
        algorithm: String,
        ElementKeyUse,
        AuthenticationTerms
    )
}

/// What is answered to a request about keys of the secure element.
package enum ElementKeyReply: Sendable {
    case made(ElementKeyHandle)
    /// This device made the key, as far as can be known now.
    case known
    /// A signature, plaintext or shared secret.
    case bytes(SharedSecret)
}
