/// The other signature that anybody can make of one: (r, n − s).
enum SignatureTwin {
    /// The order of P-256.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25,
        0x51,
    ]

    static func twin(of signature: [UInt8]) -> [UInt8] {
        var rest = order
        var borrow = 0
        for place in (0..<32).reversed() {
            let value = Int(order[place]) - Int(signature[32 + place]) - borrow
            borrow = value < 0 ? 1 : 0
            rest[place] = UInt8(truncatingIfNeeded: value)
        }
        return Array(signature.prefix(32)) + rest
    }
}
