import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The bytes of a metadata half` {
    private let item = CipherFixture.item

    private func decode(_ bytes: [UInt8]) -> PlainItem? {
        bytes.withUnsafeBytes { ItemFormat.decode($0, of: CipherFixture.columns) }
    }

    /// Where one entry ends and the next begins.
    private func boundaries(_ bytes: [UInt8]) -> Set<Int> {
        var ends: Set<Int> = [0]
        var position = 0
        while position < bytes.count {
            let length = bytes[(position + 5)..<(position + 9)].reversed()
            position += 9 + length.reduce(0) { $0 << 8 | Int($1) }
            ends.insert(position)
        }
        return ends
    }

    @Test func `come back as the attributes that went in`() throws {
        let decoded = try #require(decode(ItemFormat.encode(item)))
        #expect(decoded.attributes == item.attributes)
        #expect(decoded.accessGroup == item.accessGroup)
        #expect(decoded.accessControl == item.accessControl)
    }

    @Test func `are the same for the same attributes`() {
        #expect(ItemFormat.encode(item) == ItemFormat.encode(CipherFixture.item))
    }

    @Test func `mean nothing when they are cut inside an entry`() {
        let bytes = ItemFormat.encode(item)
        let ends = boundaries(bytes)
        let inside = SpoiledBytes.cut(bytes).filter { !ends.contains($0.count) }
        #expect(!inside.isEmpty)
        #expect(inside.filter { decode($0) != nil } == [])
    }

    @Test func `never hold more than was written when they are cut between entries`() {
        let bytes = ItemFormat.encode(item)
        let decoded = boundaries(bytes).compactMap { decode(Array(bytes[..<$0])) }
        #expect(!decoded.isEmpty)
        let added = decoded.flatMap { $0.attributes.filter { item.attributes[$0.key] != $0.value } }
        #expect(added.map(\.key) == [])
    }

    @Test(arguments: [
        ("no entry", ""),
        ("no access group", "6163637401010000007a"),
        ("tag 0", "6167727000010000007a"),
        ("tag 7", "6167727007010000007a"),
        ("tag 255", "61677270ff010000007a"),
        ("a length beyond the end", "6167727001020000007a"),
        ("the greatest length", "6167727001ffffffff7a"),
        ("a name that is not UTF-8", "ff67727001010000007a"),
        ("text that is not UTF-8", "616772700101000000ff"),
        ("an access group of another kind", "6167727002010000007a"),
        ("a number of 7 bytes", "61677270010000000070 6f7274 03 07000000 00000000000000"),
        ("a date of 9 bytes", "616772700100000000 63646174 05 09000000 000000000000000000"),
        ("an access control of no bytes", "616772700100000000 61636363 06 00000000"),
        (
            "an access control of class 0",
            "616772700100000000 61636363 06 09000000 000000000000000000"
        ),
    ])
    func `mean nothing when they are no entries`(name: String, hexadecimal: String) {
        #expect(decode(bytes(hexadecimal)) == nil)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `never trap, whatever they are, and what is read is written again alike`(
        seed: UInt64
    ) throws {
        let random = SeededRandomSource(seed: seed)
        let good = ItemFormat.encode(item)
        var refused = 0
        for round in 0..<2000 {
            let choice = try random.bytes(8)
            var bytes = good
            switch round % 3 {
            case 0: bytes = try random.bytes(Int(choice[0]))
            case 1:
                for index in 0..<4 {
                    bytes[Int(choice[index]) * bytes.count / 256] = choice[index + 4]
                }
            default:
                bytes.removeSubrange(0..<Int(choice[0]) * bytes.count / 256)
            }
            guard let read = decode(bytes) else {
                refused += 1
                continue
            }
            let written = ItemFormat.encode(read)
            #expect(decode(written).map(ItemFormat.encode) == written)
        }
        #expect(refused > 1000)
    }
}

/// The bytes of a hexadecimal text; spaces do not count.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
}
