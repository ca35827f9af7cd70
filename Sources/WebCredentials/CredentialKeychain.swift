import KeychainMessages
import KeychainModel

/// The keychain that credentials are looked for in, by whatever way a request takes to it.
///
/// Whoever asks may come between: the command adds advice to an error.
package struct CredentialKeychain {
    /// Carries out one request.
    package typealias Send = (ItemRequest) throws(KeychainError) -> ItemReply

    let send: Send

    package init(send: @escaping Send) { self.send = send }

    /// The keychain behind an endpoint.
    package init(_ endpoint: any Endpoint) {
        self.init { request throws(KeychainError) in try endpoint.send(request) }
    }

    /// Finds the first item of a filter, with what the keys ask for beside the attributes.
    ///
    /// - Throws: What the keychain says, such as `errSecItemNotFound`.
    func firstItem(
        _ filter: AttributeDictionary,
        returning keys: [QueryKey]
    ) throws(KeychainError) -> ItemDictionary {
        let query = AttributeDictionary.first(of: filter, returning: keys)
        guard case .result(.dictionary(let item)) = try send(.copyMatching(query)) else {
            throw .unexpectedReply
        }
        return item
    }

    /// Lists every item of a class that a filter admits, also where some are out of reach.
    ///
    /// Nobody is asked.
    func listing(
        of itemClass: ItemClass,
        where filter: AttributeDictionary,
        returning keys: [QueryKey]
    ) throws(KeychainError) -> Listing {
        let query = AttributeDictionary.all(itemClass, where: filter, returning: keys)
        guard case .listing(let listing) = try send(.list(query)) else {
            throw .unexpectedReply
        }
        return listing
    }
}
