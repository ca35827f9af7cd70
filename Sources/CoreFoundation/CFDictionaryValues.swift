// Core Foundation's functions for dictionaries, which use the addresses of objects.
import Foundation

/// Returns the address of a key's value, which is valid while the dictionary has it.
///
/// ```swift
/// let key = Unmanaged.passUnretained(kSecImportItemIdentity).toOpaque()
/// let identity = CFDictionaryGetValue(items, key)
/// ```
///
/// - Returns: the address, or nil without such a key.
@discardableResult
public func CFDictionaryGetValue(
    _ theDict: CFDictionary!,
    _ key: UnsafeRawPointer!
) -> UnsafeRawPointer! {
    guard let theDict, let name = hashableObject(at: key) else { return nil }
    return LentObjects.shared.address(name, in: theDict) { theDict[name].map { $0 as AnyObject } }
}

/// Retrieves the address of a key's value.
///
/// - Parameters:
///   - theDict: the dictionary.
///   - key: the address of the key.
///   - value: receives the address of the value; nil if the caller does not need it.
/// - Returns: whether the dictionary has the key.
@discardableResult
public func CFDictionaryGetValueIfPresent(
    _ theDict: CFDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    guard let address = CFDictionaryGetValue(theDict, key) else { return false }
    value?.pointee = address
    return true
}

/// Returns whether the dictionary has a key.
@discardableResult
public func CFDictionaryContainsKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
    hashableObject(at: key).flatMap { theDict[$0] } != nil
}

/// Returns 1 if the dictionary has a key, else 0.
@discardableResult
public func CFDictionaryGetCountOfKey(
    _ theDict: CFDictionary!,
    _ key: UnsafeRawPointer!
) -> CFIndex {
    CFDictionaryContainsKey(theDict, key) ? 1 : 0
}

/// Returns how many keys have a value that equals the object at an address.
@discardableResult
public func CFDictionaryGetCountOfValue(
    _ theDict: CFDictionary!,
    _ value: UnsafeRawPointer!
) -> CFIndex {
    guard let wanted = object(at: value) else { return 0 }
    return theDict.allValues.count { CFEqual($0 as AnyObject, wanted) }
}

/// Returns whether a key has a value that equals the object at an address.
@discardableResult
public func CFDictionaryContainsValue(
    _ theDict: CFDictionary!,
    _ value: UnsafeRawPointer!
) -> Bool {
    CFDictionaryGetCountOfValue(theDict, value) > 0
}

/// Retrieves the addresses of all keys and values, which are valid while the dictionary has them.
///
/// - Parameters:
///   - theDict: the dictionary.
///   - keys: receives as many addresses as the dictionary has keys; nil if nobody needs them.
///   - values: receives the addresses of the values, in the order of the keys; or nil.
public func CFDictionaryGetKeysAndValues(
    _ theDict: CFDictionary!,
    _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    for (index, key) in theDict.allKeys.enumerated() {
        guard let name = key as? AnyHashable else { continue }
        let place = AnyHashable([AnyHashable("key"), name])
        keys?[index] = LentObjects.shared.address(place, in: theDict) { key as AnyObject }
        values?[index] = LentObjects.shared.address(name, in: theDict) {
            theDict[name].map { $0 as AnyObject }
        }
    }
}

/// Returns a dictionary of the objects at addresses.
///
/// - Parameters:
///   - allocator: unused.
///   - keys: the addresses of the keys.
///   - values: the addresses of the values.
///   - numValues: the number of keys, and of values.
///   - keyCallBacks: unused; the keys are objects.
///   - valueCallBacks: unused; the values are objects.
/// - Returns: the dictionary.
@discardableResult
public func CFDictionaryCreate(
    _ allocator: CFAllocator!,
    _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ numValues: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFDictionary! {
    let made = NSMutableDictionary()
    guard let keys, let values else { return NSDictionary() }
    for index in 0..<max(0, numValues) { CFDictionarySetValue(made, keys[index], values[index]) }
    return made.copy() as? NSDictionary
}

/// Returns an empty mutable dictionary.
///
/// - Parameters:
///   - allocator: unused.
///   - capacity: unused; the dictionary grows as needed.
///   - keyCallBacks: unused; the keys are objects.
///   - valueCallBacks: unused; the values are objects.
/// - Returns: the dictionary.
@discardableResult
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! {
    NSMutableDictionary()
}

/// Returns a copy of a dictionary.
///
/// - Parameters:
///   - allocator: unused.
///   - theDict: the dictionary to copy.
/// - Returns: the copy, which does not change with the dictionary.
@discardableResult
public func CFDictionaryCreateCopy(
    _ allocator: CFAllocator!,
    _ theDict: CFDictionary!
) -> CFDictionary! {
    CFDictionaryCreateMutableCopy(allocator, 0, theDict)?.copy() as? NSDictionary
}

/// Returns a copy of a dictionary that can change.
///
/// - Parameters:
///   - allocator: unused.
///   - capacity: unused; the dictionary grows as needed.
///   - theDict: the dictionary to copy.
/// - Returns: the copy.
@discardableResult
public func CFDictionaryCreateMutableCopy(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ theDict: CFDictionary!
) -> CFMutableDictionary! {
    let copy = NSMutableDictionary()
    for (key, value) in theDict ?? [:] {
        guard let name = key as? AnyHashable else { continue }
        copy.setObject(value, forKey: name)
    }
    return copy
}

/// Sets the value of a key, both by their addresses.
public func CFDictionarySetValue(
    _ theDict: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    guard let name = hashableObject(at: key), let element = object(at: value) else { return }
    theDict.setObject(element, forKey: name)
}

/// Sets the value of a key that the dictionary does not have, both by their addresses.
public func CFDictionaryAddValue(
    _ theDict: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    guard !CFDictionaryContainsKey(theDict, key) else { return }
    CFDictionarySetValue(theDict, key, value)
}

/// Sets the value of a key that the dictionary has, both by their addresses.
public func CFDictionaryReplaceValue(
    _ theDict: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    guard CFDictionaryContainsKey(theDict, key) else { return }
    CFDictionarySetValue(theDict, key, value)
}

/// Removes a key, by its address, and its value.
public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
    guard let name = hashableObject(at: key) else { return }
    theDict.removeObject(forKey: name)
}

/// Removes all keys and values.
public func CFDictionaryRemoveAllValues(_ theDict: CFMutableDictionary!) {
    theDict.removeAllObjects()
}

/// Returns the object at an address as the key of a dictionary.
private func hashableObject(at address: UnsafeRawPointer?) -> AnyHashable? {
    guard let key = object(at: address) as? any Hashable else { return nil }
    return AnyHashable(key)
}
