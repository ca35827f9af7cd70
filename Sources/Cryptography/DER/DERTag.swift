/// The identifier octets of the DER elements used here (X.690 §8.1.2).
enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let utf8String: UInt8 = 0x0C
    static let numericString: UInt8 = 0x12
    static let printableString: UInt8 = 0x13
    static let teletexString: UInt8 = 0x14
    static let videotexString: UInt8 = 0x15
    static let ia5String: UInt8 = 0x16
    static let visibleString: UInt8 = 0x1A
    static let generalString: UInt8 = 0x1B
    static let universalString: UInt8 = 0x1C
    static let bmpString: UInt8 = 0x1E
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31

    /// Returns a context-specific tag around other elements.
    static func constructed(_ number: UInt8) -> UInt8 { 0xA0 | number }

    /// Returns a context-specific tag in place of a primitive one.
    static func primitive(_ number: UInt8) -> UInt8 { 0x80 | number }
}
