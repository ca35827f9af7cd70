import Cryptography
import Testing

@testable import Cryptography

@Suite struct `A distinguished name` {
    private static func name(_ tag: UInt8, _ value: String) -> [UInt8] {
        let type = DER.element(DERTag.objectIdentifier, ObjectIdentifier.commonName)
        let attribute = DER.sequence(type, DER.element(tag, [UInt8](value.utf8)))
        return DER.sequence(DER.element(DERTag.set, attribute))
    }

    struct Case: Sendable {
        let tag: UInt8
        let value: String
        let normalized: String
    }

    @Test(arguments: [
        Case(tag: DERTag.printableString, value: "Ann", normalized: "ANN"),
        Case(tag: DERTag.printableString, value: "  Ann   Lee ", normalized: "ANN LEE"),
        Case(tag: DERTag.printableString, value: "   ", normalized: ""),
        Case(tag: DERTag.printableString, value: "", normalized: ""),
        Case(tag: DERTag.printableString, value: "a.b-9 (z)", normalized: "A.B-9 (Z)"),
        Case(tag: DERTag.utf8String, value: "  Ann   Lee ", normalized: "  Ann   Lee "),
        Case(tag: DERTag.ia5String, value: "Ann@Example.org", normalized: "Ann@Example.org"),
    ])
    func `is normalized in its printable strings`(row: Case) throws {
        let name = try DistinguishedName(der: Self.name(row.tag, row.value))
        let expected = Self.name(row.tag, row.normalized)
        #expect(name.normalizedContent == Array(expected.dropFirst(2)))
    }

    @Test func `is normalized from its content as well`() throws {
        let whole = Self.name(DERTag.printableString, "Ann Lee")
        let normalized = try DistinguishedName(der: whole).normalizedContent
        let results = try [whole, Array(whole.dropFirst(2)), normalized].map { bytes in
            try DistinguishedName.normalizedContent(ofNameOrContent: bytes)
        }
        #expect(results == [normalized, normalized, normalized])
        #expect(try DistinguishedName.normalizedContent(ofNameOrContent: []).isEmpty)
    }

    @Test func `may be empty`() throws {
        #expect(try DistinguishedName(der: [0x30, 0x00]).normalizedContent.isEmpty)
    }

    @Test(arguments: ["", "3100", "3001", "3002 3100", "3004 3102 3000", "3000 00"] as [Hex])
    func `is refused when malformed`(der: Hex) {
        #expect(throws: CryptographyError.self) { _ = try DistinguishedName(der: der.bytes) }
    }

    struct Text: Sendable {
        let tag: UInt8
        let bytes: [UInt8]
        let text: String?
    }

    @Test(arguments: [
        Text(tag: DERTag.utf8String, bytes: [0xC5, 0xBD], text: "Ž"),
        Text(tag: DERTag.utf8String, bytes: [0xC5], text: nil),
        Text(tag: DERTag.printableString, bytes: [0x41, 0xC5], text: nil),
        Text(tag: DERTag.ia5String, bytes: [0x41, 0x00, 0x42], text: nil),
        Text(tag: DERTag.teletexString, bytes: [0xE9], text: "é"),
        Text(tag: DERTag.bmpString, bytes: [0x01, 0x7D], text: "Ž"),
        Text(tag: DERTag.bmpString, bytes: [0x01], text: nil),
        Text(tag: DERTag.bmpString, bytes: [0xD8, 0x00], text: nil),
        Text(tag: DERTag.universalString, bytes: [0, 1, 0xF5, 0x11], text: "🔑"),
        Text(tag: DERTag.universalString, bytes: [0xFF, 0xFF, 0xFF, 0xFF], text: nil),
        Text(tag: DERTag.octetString, bytes: [0x41], text: nil),
        // A pair of surrogates, and halves of one.
        Text(tag: DERTag.bmpString, bytes: [0xD8, 0x3D, 0xDD, 0x11], text: "🔑"),
        Text(tag: DERTag.bmpString, bytes: [0xDD, 0x11, 0xD8, 0x3D], text: nil),
        Text(tag: DERTag.bmpString, bytes: [0xD8, 0x3D, 0x00, 0x41], text: nil),
        Text(tag: DERTag.bmpString, bytes: [0xD8, 0x3D, 0xDD], text: nil),
        Text(tag: DERTag.universalString, bytes: [0, 0, 0xD8, 0x3D], text: nil),
        Text(tag: DERTag.universalString, bytes: [0, 1, 0xF5], text: nil),
        Text(tag: DERTag.universalString, bytes: [0, 1, 0xF5, 0x11, 0], text: nil),
        Text(tag: DERTag.visibleString, bytes: [0x41, 0xE9], text: "Aé"),
        Text(tag: DERTag.videotexString, bytes: [0xE9], text: "é"),
        Text(tag: DERTag.teletexString, bytes: [], text: ""),
        Text(tag: DERTag.generalString, bytes: [0xC5, 0xBD], text: "Ž"),
        Text(tag: DERTag.generalString, bytes: [0xE9], text: nil),
        Text(tag: DERTag.numericString, bytes: [0x31, 0xE9], text: nil),
        // One zero at the end counts the end of a C string.
        Text(tag: DERTag.printableString, bytes: [0x41, 0x00], text: "A"),
        Text(tag: DERTag.bmpString, bytes: [0x00, 0x41, 0x00, 0x00], text: "A"),
        Text(tag: DERTag.utf8String, bytes: [0x41, 0x00, 0x00], text: nil),
    ])
    func `has text in any string type`(row: Text) {
        #expect(DirectoryString.text(row.bytes, tag: row.tag) == row.text)
    }
}
