import Foundation

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
