import CoreFoundation
import KeychainHost
import KeychainMessages
import KeychainModel

/// Adds one item to the keychain.
///
/// If `kSecValueRef` is an identity, the call adds its certificate and its private key.
///
/// ```swift
/// let item: [String: Any] = [
///     kSecClass as String: kSecClassGenericPassword,
///     kSecAttrService as String: "mail",
///     kSecAttrAccount as String: "alice",
///     kSecValueData as String: Data("secret".utf8),
/// ]
/// let status = SecItemAdd(item as CFDictionary, nil)
/// ```
///
/// - Parameters:
///   - attributes: the class, the attributes, the value, and `kSecReturn…` keys. The value is
///     `kSecValueData` or `kSecValueRef`.
///   - result: receives the added item in the form that the return keys select. Pass nil if you do
///     not need it.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` if an item with the same primary key exists;
///   `errSecInteractionNotAllowed` while the item's class is locked; otherwise
///   `errSecMissingEntitlement`, `errSecParam`, `errSecNoSuchAttr` or `errSecNoSuchClass`.
/// - Source: Apple's "Adding a password to the keychain".
@discardableResult
public func SecItemAdd(
    _ attributes: CFDictionary,
    _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    answer(attributes, in: result) { () throws(KeychainError) in
        try RequestBridge.add(attributes)
    }
}

/// Finds items and returns what the query's return keys select.
///
/// Without a `kSecReturn…` key the call only reports whether an item matches.
///
/// ```swift
/// let query: [String: Any] = [
///     kSecClass as String: kSecClassGenericPassword,
///     kSecAttrService as String: "mail",
///     kSecReturnData as String: true,
/// ]
/// var result: CFTypeRef?
/// let status = SecItemCopyMatching(query as CFDictionary, &result)
/// let secret = result as? Data
/// ```
///
/// - Parameters:
///   - query: the class, the attributes, and `kSecMatch…` and `kSecReturn…` keys.
///   - result: receives the first match, or an array if `kSecMatchLimit` allows more than one. The
///     call does not change it if nothing matches or the query has no return key.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if nothing matches;
///   `errSecInteractionNotAllowed` if a match is locked, or needs a prompt that the user cannot
///   answer; otherwise `errSecMissingEntitlement`, `errSecParam`, `errSecNoSuchAttr` or
///   `errSecNoSuchClass`.
/// - Source: Apple's "Searching for keychain items".
@discardableResult
public func SecItemCopyMatching(
    _ query: CFDictionary,
    _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    answer(query, in: result) { () throws(KeychainError) in
        try RequestBridge.copyMatching(query)
    }
}

/// Changes every matching item, or none if one of them cannot change.
///
/// ```swift
/// let query: [String: Any] = [
///     kSecClass as String: kSecClassGenericPassword,
///     kSecAttrService as String: "mail",
/// ]
/// let changes: [String: Any] = [kSecValueData as String: Data("new secret".utf8)]
/// let status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
/// ```
///
/// - Parameters:
///   - query: the class and the attributes of the items.
///   - attributesToUpdate: new values of attributes and of `kSecValueData`, and no other keys.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if nothing matches; `errSecDuplicateItem` if a
///   changed item would have another item's primary key; `errSecInteractionNotAllowed` while an
///   item's class is locked; otherwise `errSecMissingEntitlement`, `errSecParam` or
///   `errSecNoSuchAttr`.
/// - Source: Apple's "Updating and deleting keychain items".
@discardableResult
public func SecItemUpdate(
    _ query: CFDictionary,
    _ attributesToUpdate: CFDictionary
) -> OSStatus {
    answer(query, in: nil) { () throws(KeychainError) in
        try RequestBridge.update(query, with: attributesToUpdate)
    }
}

/// Deletes every matching item, even while the device is locked.
///
/// - Parameter query: the class and the attributes of the items. No limit applies: every match is
///   deleted.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if nothing matches; otherwise
///   `errSecMissingEntitlement` or `errSecParam`.
/// - Source: Apple's "Updating and deleting keychain items".
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    answer(query, in: nil) { () throws(KeychainError) in try RequestBridge.delete(query) }
}

/// Sends a request to this task's keychain, and passes on the reply.
private func answer(
    _ dictionary: CFDictionary,
    in result: UnsafeMutablePointer<CFTypeRef?>?,
    _ request: () throws(KeychainError) -> ItemRequest
) -> OSStatus {
    do throws(KeychainError) {
        let reply = try RequestRouter.endpoint().send(try request())
        let bridge = ResultBridge(query: dictionary)
        if let result, let object = bridge.object(of: reply) { result.pointee = object }
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}
