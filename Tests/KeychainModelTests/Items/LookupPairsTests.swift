import KeychainModel
import Testing

private let sample = ["xdg:schema": "org.example.Password", "user": "anna", "empty": ""]

/// Bytes that are no pairs, and why.
private let malformed: [(reason: String, bytes: [UInt8])] = [
    ("half a byte count", [1]),
    ("a name that is cut", [2, 0, 0x61]),
    ("no value", [1, 0, 0x61]),
    ("a value that is cut", [1, 0, 0x61, 2, 0, 0x62]),
    ("an empty name", [0, 0, 1, 0, 0x61]),
    ("a name twice", [1, 0, 0x61, 0, 0, 1, 0, 0x61, 0, 0]),
    ("names out of order", [1, 0, 0x62, 0, 0, 1, 0, 0x61, 0, 0]),
    ("a name that is no text", [1, 0, 0xFF, 0, 0]),
    ("a value that is no text", [1, 0, 0x61, 1, 0, 0xC3]),
    ("a byte too many", [1, 0, 0x61, 0, 0, 0]),
    // The letter é, once as one scalar and once as two.
    ("one name in two spellings", [3, 0, 0x65, 0xCC, 0x81, 0, 0, 2, 0, 0xC3, 0xA9, 0, 0]),
]

private let tooMany: [(reason: String, pairs: [String: String])] = [
    ("no name", ["": "x"]),
    (
        "one pair too many",
        Dictionary(uniqueKeysWithValues: (0...LookupPairs.countLimit).map { ("\($0)", "") })
    ),
    ("one byte too many", ["a": String(repeating: "x", count: LookupPairs.byteLimit - 4)]),
]

@Suite struct `The pairs of an item` {
    @Test func `are their names and values in the order of the names' bytes`() throws {
        let pairs = try LookupPairs(["b": "2", "a": "", "Z": "é"])
        #expect(
            pairs.encoded == [
                1, 0, 0x5A, 2, 0, 0xC3, 0xA9, 1, 0, 0x61, 0, 0, 1, 0, 0x62, 1, 0, 0x32,
            ]
        )
        #expect(pairs.list.map(\.name) == [[0x5A], [0x61], [0x62]])
    }

    @Test(arguments: [[:], sample, ["a\u{0}b": "\u{0}"], ["ключ": "значение"]])
    func `come back as they were`(pairs: [String: String]) throws {
        let encoded = try LookupPairs(pairs).encoded
        let decoded = try #require(LookupPairs(encoded: encoded))
        #expect(decoded.pairs == pairs)
        #expect(decoded.encoded == encoded)
    }

    @Test func `are no bytes if there are none`() throws {
        #expect(try LookupPairs([:]).encoded.isEmpty)
        #expect(try LookupPairs([:]) == LookupPairs())
        #expect(LookupPairs().isEmpty)
    }

    @Test(arguments: malformed)
    func `are not read from other bytes`(reason: String, bytes: [UInt8]) {
        #expect(LookupPairs(encoded: bytes) == nil, "\(reason)")
    }

    @Test func `are not read from a part that ends within one`() throws {
        let encoded = try LookupPairs(sample).encoded
        let readable = (0...encoded.count).filter { count in
            LookupPairs(encoded: Array(encoded.prefix(count))) != nil
        }
        // Behind each of the three pairs.
        #expect(readable == [0, 9, 21, encoded.count])
    }

    @Test(arguments: tooMany)
    func `are refused beyond their limits`(reason: String, pairs: [String: String]) {
        #expect(throws: KeychainError(.param, reason)) { try LookupPairs(pairs) }
    }

    @Test func `may be as many as the limits allow`() throws {
        let many = Dictionary(
            uniqueKeysWithValues: (0..<LookupPairs.countLimit).map { ("name \($0)", "") }
        )
        #expect(try LookupPairs(many).pairs == many)
        let long = ["a": String(repeating: "x", count: LookupPairs.byteLimit - 5)]
        let encoded = try LookupPairs(long).encoded
        #expect(encoded.count == LookupPairs.byteLimit)
        #expect(LookupPairs(encoded: encoded)?.pairs == long)
    }

    @Test func `are not read beyond the limits either`() {
        let pair: (Int) -> [UInt8] = { [2, 0, UInt8(0x21 + $0 / 64), UInt8(0x21 + $0 % 64), 0, 0] }
        #expect(LookupPairs(encoded: (0..<LookupPairs.countLimit).flatMap(pair))?.list.count == 512)
        #expect(LookupPairs(encoded: (0...LookupPairs.countLimit).flatMap(pair)) == nil)
        // 65,537 bytes: a name of one byte, and a value that is one byte too long.
        let long = [1, 0, 0x61, 0xFC, 0xFF] + [UInt8](repeating: 0x61, count: 0xFFFC)
        let isRead = LookupPairs(encoded: long) != nil
        #expect(long.count == LookupPairs.byteLimit + 1 && !isRead)
    }

    @Test(
        arguments: [
            ([:], true), (sample, true), (["user": "anna"], true), (["empty": ""], true),
            (["user": "Anna"], false), (["user": ""], false), (["User": "anna"], false),
            (["user": "anna", "other": ""], false),
        ]
    )
    func `contain what is among them`(wanted: [String: String], isContained: Bool) throws {
        let wanted = try LookupPairs(wanted)
        #expect(try LookupPairs(sample).contains(wanted) == isContained)
        #expect(LookupPairs().contains(wanted) == wanted.isEmpty)
    }

    @Test func `are the same by their bytes, not by their look`() throws {
        let one = try LookupPairs(["name": "\u{E9}"])
        let two = try LookupPairs(["name": "e\u{301}"])
        #expect(one != two && !one.contains(two))
    }
}
