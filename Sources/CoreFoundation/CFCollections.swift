import Foundation

/// The number of elements.
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex {
    array.count
}

/// The number of entries.
public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex {
    dictionary.count
}

/// The Swift value of a truth value.
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool {
    boolean.boolValue
}

/// The number of UTF-16 code units.
public func CFStringGetLength(_ string: CFString!) -> CFIndex {
    string.length
}

extension NSMutableDictionary {
    /// Sets the value of a string key, or removes the entry if the value is nil.
    ///
    /// Key-value coding gives Apple's platforms this method; Foundation on Linux has none.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: key) }
        setObject(value, forKey: key as NSString)
    }
}
