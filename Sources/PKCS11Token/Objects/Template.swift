import Secrets

/// The value of an attribute that a caller hands over.
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

/// Attributes by their types, as a caller hands them over; each type at most once.
package struct Template: Sendable {
    /// The most attributes of one template.
    package static let countLimit = 128
    /// The most bytes of one value.
    package static let valueByteCountLimit = 1 << 20
    /// The most bytes of all values together.
    package static let byteCountLimit = 4 << 20

    package private(set) var values: [AttributeType: TemplateValue] = [:]

    package init() {}

    /// Takes an attribute.
    ///
    /// - Throws: `templateInconsistent` for a type that is there already.
    package mutating func add(
        _ type: AttributeType,
        _ value: TemplateValue
    ) throws(ReturnCode) {
        guard values.updateValue(value, forKey: type) == nil else { throw .templateInconsistent }
    }

    /// The bytes of an attribute; nil if the template does not have it.
    func bytes(_ type: AttributeType) -> [UInt8]? { values[type]?.copyBytesUnprotected }

    /// The bytes of an attribute that an object cannot do without.
    ///
    /// - Throws: `templateIncomplete`.
    func required(_ type: AttributeType) throws(ReturnCode) -> [UInt8] {
        guard let bytes = bytes(type) else { throw .templateIncomplete }
        return bytes
    }

    /// A secret attribute that an object cannot do without.
    ///
    /// - Throws: `templateIncomplete`.
    func requiredSecret(_ type: AttributeType) throws(ReturnCode) -> SharedSecret {
        switch values[type] {
        case .secret(let secret)?: return secret
        case .bytes(let bytes)?: return SharedSecret(Secret(copying: bytes))
        case nil: throw .templateIncomplete
        }
    }

    /// A number as the machine writes it.
    ///
    /// - Throws: `attributeValueInvalid` for another size.
    func number(_ type: AttributeType) throws(ReturnCode) -> UInt? {
        guard let bytes = bytes(type) else { return nil }
        guard bytes.count == MemoryLayout<UInt>.size else { throw .attributeValueInvalid }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt.self) }
    }

    /// A truth value: one byte, 0 or 1.
    ///
    /// - Throws: `attributeValueInvalid` for anything else.
    func flag(_ type: AttributeType) throws(ReturnCode) -> Bool? {
        switch bytes(type) {
        case nil: return nil
        case [0]?: return false
        case [1]?: return true
        default: throw .attributeValueInvalid
        }
    }

    /// The class of the object.
    ///
    /// - Throws: `templateIncomplete`, `attributeValueInvalid`.
    func objectClass() throws(ReturnCode) -> ObjectClass {
        guard let number = try number(.objectClass) else { throw .templateIncomplete }
        guard let objectClass = ObjectClass(rawValue: number) else { throw .attributeValueInvalid }
        return objectClass
    }
}

/// The bytes of numbers and truth values as the machine writes them.
enum Encoding {
    static func number(_ number: UInt) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    static func flag(_ flag: Bool) -> [UInt8] { [flag ? 1 : 0] }
}
