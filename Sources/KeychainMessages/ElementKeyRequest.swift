import KeychainModel
import Secrets

/// A request about keys of the secure element.
package enum ElementKeyRequest: Sendable, Hashable {
    /// Creates a key from the attributes of an add, and stores it if it is permanent.
    ///
    /// A public half, described without its bytes, is stored in the same transaction.
    case make(
        AttributeDictionary,
        isPermanent: Bool,
        publicHalf: AttributeDictionary? = nil
    )
    /// Checks whether this device created a key; while it is locked, only as far as no class key is
    /// needed.
    case check(ElementKeyHandle)
    /// Uses a key, with Apple's identifier for the algorithm.
    case use(
        ElementKeyHandle,
        algorithm: String,
        ElementKeyUse,
        AuthenticationTerms
    )
}

/// The reply to a request about keys of the secure element.
package enum ElementKeyReply: Sendable {
    case made(ElementKeyHandle)
    /// This device created the key, as far as it can tell now.
    case known
    /// A signature, plaintext or shared secret.
    case bytes(SharedSecret)
}
