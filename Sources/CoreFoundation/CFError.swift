import Foundation

/// Creates an error.
///
/// - Parameters:
///   - allocator: unused.
///   - domain: the name of the family of codes.
///   - code: the code of the error within the domain.
///   - userInfo: more about the error, under the keys of `NSError`; may be nil.
/// - Returns: the error.
@discardableResult
public func CFErrorCreate(
    _ allocator: CFAllocator!,
    _ domain: CFErrorDomain!,
    _ code: CFIndex,
    _ userInfo: CFDictionary!
) -> CFError! {
    var known: [String: Any] = [:]
    for (key, value) in userInfo ?? [:] {
        if let name = key as? String { known[name] = value }
    }
    return NSError(domain: domain as String, code: code, userInfo: known)
}

/// Returns the code of an error within its domain.
@discardableResult
public func CFErrorGetCode(_ error: CFError!) -> CFIndex {
    error.code
}

/// Returns the domain to which an error's code belongs.
@discardableResult
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
    error.domain as NSString
}

/// Returns more about an error, under the keys of `NSError`.
@discardableResult
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
    error.userInfo as NSDictionary
}

/// Returns the sentence that describes an error to people.
@discardableResult
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
    error.localizedDescription as NSString
}
