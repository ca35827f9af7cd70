import Foundation

/// Returns a date from seconds since 2001-01-01 00:00:00 UTC.
@discardableResult
public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! {
    NSDate(timeIntervalSinceReferenceDate: at)
}

/// Returns a date as seconds since 2001-01-01 00:00:00 UTC.
@discardableResult
public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime {
    theDate.timeIntervalSinceReferenceDate
}

/// The encoding of a string's bytes, as Core Foundation numbers them.
public typealias CFStringEncoding = UInt32

/// The encodings that every system has.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
    /// ASCII.
    case ASCII = 0x0600
    /// ISO 8859-1.
    case isoLatin1 = 0x0201
    /// UTF-8.
    case UTF8 = 0x0800_0100
    /// UTF-16 with a byte order mark, or in the order of this machine.
    case UTF16 = 0x0100

    fileprivate var foundation: String.Encoding {
        switch self {
        case .ASCII: .ascii
        case .isoLatin1: .isoLatin1
        case .UTF8: .utf8
        case .UTF16: .utf16
        }
    }
}

/// Returns the string of a C string, or nil if its bytes do not fit the encoding.
@discardableResult
public func CFStringCreateWithCString(
    _ alloc: CFAllocator!,
    _ cStr: UnsafePointer<CChar>!,
    _ encoding: CFStringEncoding
) -> CFString! {
    guard let cStr, let known = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
    return String(cString: cStr, encoding: known.foundation).map { NSString(string: $0) }
}

/// Returns the string of bytes, or nil if they do not fit the encoding.
///
/// - Parameters:
///   - alloc: unused.
///   - bytes: the address of the bytes.
///   - numBytes: how many there are.
///   - encoding: their encoding.
///   - isExternalRepresentation: unused; a byte order mark counts in UTF-16.
/// - Returns: the string.
@discardableResult
public func CFStringCreateWithBytes(
    _ alloc: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ numBytes: CFIndex,
    _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool
) -> CFString! {
    guard let bytes, let known = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
    let data = Data(bytes: bytes, count: numBytes)
    return String(data: data, encoding: known.foundation).map { NSString(string: $0) }
}

/// The C type of a number.
public enum CFNumberType: CFIndex, Sendable {
    /// 8 bits.
    case sInt8Type = 1
    /// 16 bits.
    case sInt16Type
    /// 32 bits.
    case sInt32Type
    /// 64 bits.
    case sInt64Type
    /// A floating-point number of 32 bits.
    case float32Type
    /// A floating-point number of 64 bits.
    case float64Type
    /// `char`.
    case charType
    /// `short`.
    case shortType
    /// `int`.
    case intType
    /// `long`.
    case longType
    /// `long long`.
    case longLongType
    /// `float`.
    case floatType
    /// `double`.
    case doubleType
    /// `CFIndex`.
    case cfIndexType
    /// `NSInteger`.
    case nsIntegerType
    /// `CGFloat`.
    case cgFloatType
}

/// Returns the number at an address, or nil without one.
@discardableResult
public func CFNumberCreate(
    _ allocator: CFAllocator!,
    _ theType: CFNumberType,
    _ valuePtr: UnsafeRawPointer!
) -> CFNumber! {
    guard let valuePtr else { return nil }
    return switch theType {
    case .sInt8Type, .charType: NSNumber(value: valuePtr.loadUnaligned(as: Int8.self))
    case .sInt16Type, .shortType: NSNumber(value: valuePtr.loadUnaligned(as: Int16.self))
    case .sInt32Type, .intType: NSNumber(value: valuePtr.loadUnaligned(as: Int32.self))
    case .float32Type, .floatType: NSNumber(value: valuePtr.loadUnaligned(as: Float.self))
    case .float64Type, .doubleType, .cgFloatType:
        NSNumber(value: valuePtr.loadUnaligned(as: Double.self))
    case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType:
        NSNumber(value: valuePtr.loadUnaligned(as: Int64.self))
    }
}

/// Writes a number to an address, in a C type.
///
/// - Returns: whether the value fits the type exactly.
@discardableResult
public func CFNumberGetValue(
    _ number: CFNumber!,
    _ theType: CFNumberType,
    _ valuePtr: UnsafeMutableRawPointer!
) -> Bool {
    guard let valuePtr else { return false }
    func store<Value: Equatable>(_ value: Value, _ back: (Value) -> NSNumber) -> Bool {
        valuePtr.storeBytes(of: value, as: Value.self)
        return back(value).compare(number) == .orderedSame
    }
    return switch theType {
    case .sInt8Type, .charType: store(number.int8Value) { NSNumber(value: $0) }
    case .sInt16Type, .shortType: store(number.int16Value) { NSNumber(value: $0) }
    case .sInt32Type, .intType: store(number.int32Value) { NSNumber(value: $0) }
    case .float32Type, .floatType: store(number.floatValue) { NSNumber(value: $0) }
    case .float64Type, .doubleType, .cgFloatType: store(number.doubleValue) { NSNumber(value: $0) }
    case .sInt64Type, .longType, .longLongType, .cfIndexType, .nsIntegerType:
        store(number.int64Value) { NSNumber(value: $0) }
    }
}

/// Returns a description of an object for developers.
///
/// It may contain the object's value: no secret belongs into it.
@discardableResult
public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
    cf.map { NSString(string: String(describing: $0)) }
}
