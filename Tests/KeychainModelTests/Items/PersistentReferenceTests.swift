import KeychainModel
import TestSupport
import Testing

private let rowNumbers: [([UInt8], Int64)] = [
    ([0, 0, 0, 0, 0, 0, 0, 9], 9),
    ([UInt8](repeating: 0xFF, count: 8), -1),
    ([0x7F] + [UInt8](repeating: 0xFF, count: 7), .max),
]

@Suite struct `The bytes of a persistent reference` {
    @Test(arguments: ItemClass.allCases)
    func `name a class and a row`(itemClass: ItemClass) throws {
        let uuid = Array(UInt8(0)..<16)
        let encoded = PersistentReference(itemClass: itemClass, uuid: uuid).encoded
        #expect(encoded == Array(itemClass.rawValue.utf8) + uuid)
        let decoded = try #require(PersistentReference(decoding: encoded))
        #expect(decoded.itemClass == itemClass)
        #expect(decoded.target == .uuid(uuid))
    }

    @Test(arguments: rowNumbers)
    func `may be the older form with a row number`(bytes: [UInt8], number: Int64) throws {
        let encoded = Array("inet".utf8) + bytes
        let decoded = try #require(PersistentReference(decoding: encoded))
        #expect(decoded.itemClass == .internetPassword)
        #expect(decoded.target == .row(number))
        #expect(decoded.encoded == encoded)
    }

    @Test(arguments: (0...64).filter { $0 != 12 && $0 != 20 })
    func `mean nothing with any other length`(count: Int) {
        let bytes = Array("genp".utf8) + [UInt8](repeating: 1, count: 60)
        #expect(PersistentReference(decoding: Array(bytes.prefix(count))) == nil)
    }

    @Test(arguments: ["GENP", "gen\u{0}", "nope", "    ", "genq"], [8, 16])
    func `mean nothing with a class that does not exist`(letters: String, count: Int) {
        let bytes = Array(letters.utf8) + [UInt8](repeating: 0, count: count)
        #expect(PersistentReference(decoding: bytes) == nil)
    }

    @Test func `mean nothing with a class that is not text`() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x00, 0x80] + [UInt8](repeating: 0, count: 16)
        #expect(PersistentReference(decoding: bytes) == nil)
    }
}
