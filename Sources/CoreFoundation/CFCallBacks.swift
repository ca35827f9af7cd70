/// The functions of a dictionary for its keys; every dictionary here keeps objects.
public struct CFDictionaryKeyCallBacks: Sendable {
    /// The version of the structure.
    public var version: CFIndex = 0
    /// Creates the usual functions.
    public init() {}
}

/// The functions of a dictionary for its values; every dictionary here keeps objects.
public struct CFDictionaryValueCallBacks: Sendable {
    /// The version of the structure.
    public var version: CFIndex = 0
    /// Creates the usual functions.
    public init() {}
}

/// The functions of an array for its values; every array here keeps objects.
public struct CFArrayCallBacks: Sendable {
    /// The version of the structure.
    public var version: CFIndex = 0
    /// Creates the usual functions.
    public init() {}
}

/// The functions for keys that are objects.
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The functions for keys that are strings, which are copied.
public let kCFCopyStringDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The functions for values that are objects.
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()
/// The functions for elements that are objects.
public let kCFTypeArrayCallBacks = CFArrayCallBacks()
