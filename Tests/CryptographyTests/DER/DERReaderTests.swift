import Testing

@testable import Cryptography

@Suite struct `Reading DER` {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: Hex
    }

    @Test(arguments: [
        Refusal(testDescription: "nothing", bytes: ""),
        Refusal(testDescription: "a tag alone", bytes: "04"),
        Refusal(testDescription: "content cut off", bytes: "0402 01"),
        Refusal(testDescription: "a length cut off", bytes: "0482 01"),
        Refusal(testDescription: "an open length", bytes: "0480 0000"),
        Refusal(testDescription: "a long length for a short one", bytes: "0481 01 00"),
        Refusal(testDescription: "a length with a leading zero", bytes: "048200 81"),
        Refusal(testDescription: "a length over the end", bytes: "0484 FFFFFFFF 00"),
        Refusal(testDescription: "a length of nine bytes", bytes: "0489 010000000000000000"),
        Refusal(testDescription: "the reserved length", bytes: "04FF 00"),
        Refusal(testDescription: "a tag of two bytes", bytes: "1F20 00"),
        Refusal(testDescription: "another tag", bytes: "0500"),
    ])
    func `refuses what is none`(refusal: Refusal) {
        var reader = DERReader(refusal.bytes.bytes[...])
        #expect(throws: CryptographyError.malformedDER) { _ = try reader.read(0x04) }
    }

    @Test(arguments: [0, 1, 127, 128, 255, 256, 65_535, 65_536, 100_000])
    func `reads what was written`(byteCount: Int) throws {
        let content = [UInt8](repeating: 7, count: byteCount)
        let encoding = DER.element(0x04, content)
        var reader = DERReader((encoding + [0x05, 0x00])[...])
        let element = try reader.readElement()
        #expect(element.content.elementsEqual(content))
        #expect(element.encoding.elementsEqual(encoding))
        #expect(reader.rest.elementsEqual([0x05, 0x00]))
    }

    struct Integer: Sendable {
        let encoding: Hex
        let magnitude: [UInt8]?
    }

    @Test(arguments: [
        Integer(encoding: "0201 00", magnitude: [0]),
        Integer(encoding: "0201 7F", magnitude: [0x7F]),
        Integer(encoding: "0202 0080", magnitude: [0x80]),
        Integer(encoding: "0203 010000", magnitude: [1, 0, 0]),
        Integer(encoding: "0200", magnitude: nil),
        Integer(encoding: "0201 80", magnitude: nil),
        Integer(encoding: "0202 007F", magnitude: nil),
        Integer(encoding: "0202 0000", magnitude: nil),
        Integer(encoding: "0202 FFFF", magnitude: nil),
    ])
    func `takes numbers in their one form`(integer: Integer) throws {
        var reader = DERReader(integer.encoding.bytes[...])
        guard let magnitude = integer.magnitude else {
            #expect(throws: CryptographyError.malformedDER) {
                _ = try reader.readUnsignedInteger()
            }
            return
        }
        #expect(try reader.readUnsignedInteger().elementsEqual(magnitude))
        #expect(DER.unsignedInteger(magnitude) == integer.encoding.bytes)
    }

    @Test(arguments: ["0300", "0302 01FE", "0302 08FF"] as [Hex])
    func `takes bit strings of whole bytes only`(encoding: Hex) {
        var reader = DERReader(encoding.bytes[...])
        #expect(throws: CryptographyError.malformedDER) { _ = try reader.readWholeBitString() }
    }
}
