import CoreFoundation
import KeychainHost
import KeychainModel

/// Adds one item.
///
/// - Parameters:
///   - attributes: class, attributes, `kSecValueData` and `kSecReturn…` keys.
///   - result: receives the added item in the shape that the return keys ask for; may be nil.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` when an item with the same primary key
///   exists; `errSecInteractionNotAllowed` while the item's class is locked;
///   `errSecMissingEntitlement`, `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass`.
/// - Source: Keychain overview; Keychain reference; Item classes guide; Keychain access control
///   guide; Apple: Restricting Keychain Item Accessibility.
@discardableResult
public func SecItemAdd(
    _ attributes: CFDictionary,
    _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    answer(attributes, in: result) { () throws(KeychainError) in
        try RequestBridge.add(attributes)
    }
}

/// Finds items.
///
/// - Parameters:
///   - query: class, attributes, `kSecMatch…` and `kSecReturn…` keys.
///   - result: receives the first match, or an array when a limit other than one is given; left
///     alone when nothing matches or nothing is asked for.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecInteractionNotAllowed` when a match
///   is locked; `errSecMissingEntitlement`, `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass`.
/// - Source: Keychain overview; Item classes guide; Keychain fundamentals; Keychain reference;
///   Apple headers (SecItem.h, SecAccessControl.h); Apple Security source (Security-61901).
@discardableResult
public func SecItemCopyMatching(
    _ query: CFDictionary,
    _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    answer(query, in: result) { () throws(KeychainError) in
        try RequestBridge.copyMatching(query)
    }
}

/// Changes every matching item, or none.
///
/// - Parameters:
///   - query: class and attributes of the items.
///   - attributesToUpdate: new values of attributes and of `kSecValueData`; nothing else.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecDuplicateItem`;
///   `errSecInteractionNotAllowed`; `errSecMissingEntitlement`, `errSecParam`, `errSecNoSuchAttr`.
/// - Source: Keychain overview; Apple Security source (Security-61901); Keychain fundamentals.
@discardableResult
public func SecItemUpdate(
    _ query: CFDictionary,
    _ attributesToUpdate: CFDictionary
) -> OSStatus {
    answer(query, in: nil) { () throws(KeychainError) in
        try RequestBridge.update(query, with: attributesToUpdate)
    }
}

/// Deletes every matching item, in every lock state.
///
/// - Parameter query: class and attributes of the items; there is no limit.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecMissingEntitlement`, `errSecParam`.
/// - Source: Keychain overview; Keychain fundamentals; Migration guide.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    answer(query, in: nil) { () throws(KeychainError) in try RequestBridge.delete(query) }
}

/// Sends a request to where this task's requests go, and hands over what comes back.
private func answer(
    _ dictionary: CFDictionary,
    in result: UnsafeMutablePointer<CFTypeRef?>?,
    _ request: () throws(KeychainError) -> Request
) -> OSStatus {
    do throws(KeychainError) {
        let reply = try Connection.endpoint().send(try request())
        let bridge = ResultBridge(query: dictionary)
        if let result, let object = bridge.object(of: reply) { result.pointee = object }
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}
