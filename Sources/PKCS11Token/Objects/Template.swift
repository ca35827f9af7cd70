import Secrets

/// The value of an attribute from a caller.
package enum TemplateValue: Sendable {
    case bytes([UInt8])
    case secret(SharedSecret)

    /// The bytes; those of a secret are copied into ordinary memory.
    var copyBytesUnprotected: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .secret(let shared): shared.secret.copyBytesUnprotected()
        }
    }
}

/// A caller's attributes by type; each type occurs at most once.
package struct Template: Sendable {
    /// The greatest number of attributes in a template.
    package static let countLimit = 128
    /// The greatest size of one value, in bytes.
    package static let valueByteCountLimit = 1 << 20
    /// The greatest total size of all values, in bytes.
    package static let byteCountLimit = 4 << 20

    package private(set) var values: [AttributeType: TemplateValue] = [:]

    package init() {}

    /// Adds an attribute.
    ///
    /// - Throws: `templateInconsistent` if the type is present already.
    package mutating func add(
        _ type: AttributeType,
        _ value: TemplateValue
    ) throws(ReturnCode) {
        guard values.updateValue(value, forKey: type) == nil else { throw .templateInconsistent }
    }

    /// Returns the bytes of an attribute; nil if it is absent.
    func bytes(_ type: AttributeType) -> [UInt8]? { values[type]?.copyBytesUnprotected }

    /// Returns the bytes of a required attribute.
    ///
    /// - Throws: `templateIncomplete` if it is absent.
    func required(_ type: AttributeType) throws(ReturnCode) -> [UInt8] {
        guard let bytes = bytes(type) else { throw .templateIncomplete }
        return bytes
    }

    /// Returns a required secret attribute.
    ///
    /// - Throws: `templateIncomplete` if it is absent.
    func requiredSecret(_ type: AttributeType) throws(ReturnCode) -> SharedSecret {
        switch values[type] {
        case .secret(let secret)?: return secret
        case .bytes(let bytes)?: return SharedSecret(Secret(copying: bytes))
        case nil: throw .templateIncomplete
        }
    }

    /// Returns a number in the machine's byte order; nil if the attribute is absent.
    ///
    /// - Throws: `attributeValueInvalid` for another size.
    func number(_ type: AttributeType) throws(ReturnCode) -> UInt? {
        guard let bytes = bytes(type) else { return nil }
        guard bytes.count == MemoryLayout<UInt>.size else { throw .attributeValueInvalid }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt.self) }
    }

    /// Returns a truth value, which is one byte, 0 or 1; nil if the attribute is absent.
    ///
    /// - Throws: `attributeValueInvalid` for any other bytes.
    func flag(_ type: AttributeType) throws(ReturnCode) -> Bool? {
        switch bytes(type) {
        case nil: return nil
        case [0]?: return false
        case [1]?: return true
        default: throw .attributeValueInvalid
        }
    }

    /// Returns the class of the object.
    ///
    /// - Throws: `templateIncomplete`, `attributeValueInvalid`.
    func objectClass() throws(ReturnCode) -> ObjectClass {
        guard let number = try number(.objectClass) else { throw .templateIncomplete }
        guard let objectClass = ObjectClass(rawValue: number) else { throw .attributeValueInvalid }
        return objectClass
    }
}

/// Numbers and truth values as bytes, in the machine's byte order.
enum Encoding {
    static func number(_ number: UInt) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    static func flag(_ flag: Bool) -> [UInt8] { [flag ? 1 : 0] }
}
