import Foundation

/// Makes an error.
///
/// - Parameters:
///   - allocator: unused.
///   - domain: what gives the code its meaning.
///   - code: which error of the domain it is.
///   - userInfo: what else is known, by `NSError`'s keys; may be nil.
/// - Returns: the error.
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

/// The code of an error, within its domain.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex {
    error.code
}

/// The domain that gives an error's code its meaning.
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
    error.domain as NSString
}

/// What else is known about an error, by `NSError`'s keys.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
    error.userInfo as NSDictionary
}

/// The sentence that tells a person what went wrong.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
    error.localizedDescription as NSString
}
