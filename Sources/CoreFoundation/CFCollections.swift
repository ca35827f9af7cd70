import Foundation

/// Returns the number of elements.
@discardableResult
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex {
    array.count
}

/// Returns the number of entries.
@discardableResult
public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex {
    dictionary.count
}

/// Returns the Swift value of a Boolean.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool {
    boolean.boolValue
}

/// Returns the length in UTF-16 code units.
@discardableResult
public func CFStringGetLength(_ string: CFString!) -> CFIndex {
    string.length
}

extension NSMutableDictionary {
    /// Sets the value of a string key, or removes the entry if the value is nil.
    ///
    /// Key-value coding provides this method on Apple's platforms. Foundation on Linux lacks it.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: key) }
        setObject(value, forKey: key as NSString)
    }
}
