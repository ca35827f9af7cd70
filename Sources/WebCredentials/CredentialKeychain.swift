import KeychainMessages
import KeychainModel

/// The keychain in which credentials are searched, behind any function that sends requests.
///
/// The function may wrap an endpoint. For example, the command adds advice to errors.
package struct CredentialKeychain {
    /// Performs one request.
    package typealias Send = (ItemRequest) throws(KeychainError) -> ItemReply

    let send: Send

    package init(send: @escaping Send) { self.send = send }

    /// Uses the keychain behind an endpoint.
    package init(_ endpoint: any Endpoint) {
        self.init { request throws(KeychainError) in try endpoint.send(request) }
    }

    /// Returns the first item that matches a filter: its attributes, and the values that `keys`
    /// name.
    ///
    /// - Throws: The keychain's error, such as `errSecItemNotFound`.
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

    /// Lists every item of a class that matches a filter, including items that do not open.
    ///
    /// Does not prompt the user.
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
