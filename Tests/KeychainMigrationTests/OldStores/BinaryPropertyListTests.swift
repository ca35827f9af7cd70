import Cryptography
import Foundation
import TestSupport
import Testing

@testable import KeychainMigration

@Suite struct `A binary property list` {
    private static var sample: [String: Any] {
        [
            "text": "plain", "wide": "漢字 🔑", "long": String(repeating: "x", count: 70_000),
            "small": 7, "byte": 200, "short": 40_000, "int": 3_000_000_000, "big": Int64.max,
            "negative": -5, "on": true, "off": false, "real": 2.5, "data": Data([0, 1, 255]),
            "date": Date(timeIntervalSinceReferenceDate: 1234.5),
            "list": Array(0..<300), "nested": ["a": ["b": ["c"]]], "empty": [String: Any](),
        ]
    }

    private static var bytes: Data {
        get throws {
            try PropertyListSerialization.data(
                fromPropertyList: sample,
                format: .binary,
                options: 0
            )
        }
    }

    @Test func `reads as Foundation reads it`() throws {
        var list = try BinaryPropertyList(try Self.bytes)
        let root = try #require(try list.root() as? NSDictionary)
        #expect(root == Self.sample as NSDictionary)
    }

    /// Sixteen bytes hold what eight signed ones cannot.
    @Test(arguments: [UInt64(1) << 63, (1 << 63) + 1, .max, (1 << 63) - 1])
    func `has integers up to 64 bits without a sign`(number: UInt64) throws {
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        let list = Self.list([[0x14] + Array(repeating: 0, count: 8) + bytes])
        let root = try #require(PropertyListText.read(list)?.root as? NSNumber)
        #expect(root.uint64Value == number)
        #expect(PropertyListKind(root).value(of: SecretBytes("\(number)")) as? NSNumber == root)
    }

    @Test func `with a large integer is emptied, and keeps the integer`() throws {
        let place = try Place()
        let file = place.file("large.plist")
        let objects: [[UInt8]] = [
            [0xD2, 1, 2, 3, 4], [0x51, 0x6E], [0x58] + Array("password".utf8),
            [0x14] + Array(repeating: 0, count: 8) + [0x80] + Array(repeating: 0, count: 7),
            [0x54] + Array("pw-1".utf8),
        ]
        try Self.list(objects).write(to: file)
        let source = PropertyListSource(file: PlainFile(file))
        #expect(try source.read("n")?.secret.matches(SecretBytes("9223372036854775808")) == true)
        try source.delete("password")
        let left = try PropertyListSource(file: PlainFile(file)).values()
        #expect(left.map(\.key) == ["n"])
        #expect(left.first?.secret.matches(SecretBytes("9223372036854775808")) == true)
    }

    @Test(arguments: [0x0B_AD_01, 0x0B_AD_02, 0x0B_AD_03] as [UInt64])
    func `never ends the process, however it is damaged`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let small = try PropertyListSerialization.data(
            fromPropertyList: Self.sample.filter { $0.key != "long" },
            format: .binary,
            options: 0
        )
        var refused = 0
        for _ in 0..<3000 {
            var bytes = small
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeSubrange(8..<Int.random(in: 8..<bytes.count, using: &random))
            }
            if PropertyListText.read(bytes) == nil { refused += 1 }
        }
        #expect(refused > 1000, "seed \(seed)")
    }

    /// One object that holds itself, or others many times over.
    private static func list(_ objects: [[UInt8]]) -> Data {
        var bytes = BinaryPropertyList.signature
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0]
        bytes += [0, 0, 0, 0, 0, 0, 0, table]
        return Data(bytes)
    }

    @Test(
        arguments: [
            [[0xA1, 0]],
            [[0xD1, 1, 0], [0x51, 0x61]],
            [[0xC1, 1], [0x09]],
            [[0xA1, 9]],
            [[0x00]],
            [[0x5F, 0x10, 0xFF]],
            [[0x14] + Array(repeating: 1, count: 16)],
            [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
            (0..<20).map { index in
                index < 19 ? [0xAA] + Array(repeating: UInt8(index + 1), count: 10) : [0x09]
            },
        ] as [[[UInt8]]]
    )
    func `is refused where it holds itself, a set, nothing or too much`(objects: [[UInt8]]) {
        #expect(PropertyListText.read(Self.list(objects)) == nil)
    }

    /// One array with many references to one object, such as a text.
    private static func list(of object: [UInt8], references count: Int) -> Data {
        func digits(_ number: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) }
        }
        let array = [0xAF, 0x12] + digits(count) + Array(repeating: 1, count: count)
        let second = BinaryPropertyList.signature.count + array.count
        let table = second + object.count
        var bytes = BinaryPropertyList.signature + array + object
        bytes += digits(BinaryPropertyList.signature.count) + digits(second)
        bytes += [0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]
        return Data(bytes + [0, 0, 0, 0] + digits(table))
    }

    /// Marker and length of a text or data of 4,096 bytes.
    @Test(arguments: [
        [0x5F, 0x11, 0x10, 0x00], [0x4F, 0x11, 0x10, 0x00], [0x6F, 0x11, 0x08, 0x00],
    ])
    func `decodes what it refers to many times once`(head: [UInt8]) throws {
        let object = head + Array(repeating: 0x41, count: 4096)
        let count = BinaryPropertyList.expandedByteCountLimit / 4096
        var list = try BinaryPropertyList(Self.list(of: object, references: count))
        #expect((try list.root() as? [Any])?.count == count)
        #expect(list.decodedByteCount == 4096)
    }

    @Test func `of 4 MB that would come to gigabytes is refused, and costs what it is long`() throws
    {
        let object: [UInt8] =
            [0x5F, 0x12, 0, 0x2F, 0, 0] + Array(repeating: 0x41, count: 0x2F_0000)
        let bytes = Self.list(of: object, references: 900_000)
        #expect((3_900_000...4_100_000).contains(bytes.count))
        var list = try BinaryPropertyList(bytes)
        #expect(throws: BinaryPropertyList.Damage.self) { try list.root() }
        #expect(list.decodedByteCount <= bytes.count)
    }

    @Test func `with too many references is refused before they are followed`() throws {
        var list = try BinaryPropertyList(Self.list(of: [0x09], references: 1_000_000))
        #expect(throws: BinaryPropertyList.Damage.self) { try list.root() }
    }

    @Test func `is read where it is well-formed`() {
        let bytes = Self.list([[0xA2, 1, 1], [0x09]])
        #expect(PropertyListText.read(bytes)?.root as? [Bool] == [true, true])
    }
}

@Suite struct `An archive's objects` {
    private func root(_ root: Any) throws -> Any {
        var graph = try ArchiveGraph(
            Session.archive(root),
            makers: [Session.archivedName: { $0.fields }]
        )
        return try graph.root()
    }

    @Test func `become plain values`() throws {
        let uuid = try #require(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10"))
        let found = try root(
            [
                "text": "a", "number": 5, "data": Data([1]), "on": true,
                "date": Date(timeIntervalSinceReferenceDate: 9), "list": ["x", ["y"]],
                "uuid": uuid as NSUUID, "session": Session(user: "ada", token: "alpha"),
            ] as NSDictionary
        )
        let expected: [String: Any] = [
            "text": "a", "number": 5, "data": Data([1]), "on": true,
            "date": Date(timeIntervalSinceReferenceDate: 9), "list": ["x", ["y"]],
            "uuid": uuid.uuidString, "session": ["user": "ada", "token": "alpha"],
        ]
        #expect(found as? NSDictionary == expected as NSDictionary)
    }

    @Test func `are read from an XML archive too`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        archiver.encode(["a": "alpha"] as NSDictionary, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        var graph = try ArchiveGraph(archiver.encodedData, makers: [:])
        #expect(try graph.root() as? [String: String] == ["a": "alpha"])
    }
}
