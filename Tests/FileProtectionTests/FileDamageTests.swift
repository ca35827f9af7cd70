import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

private let chunk = FileLayout.sealedChunkByteCount
private let start = FileLayout.firstChunk

/// A change of a file of three chunks, and which of them are damaged then.
private struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let damaged: [UInt32]
    let make: @Sendable (inout [UInt8], _ other: [UInt8]) -> Void

    init(
        _ name: String,
        damages damaged: [UInt32],
        _ make: @escaping @Sendable (inout [UInt8], _ other: [UInt8]) -> Void
    ) {
        testDescription = name
        self.damaged = damaged
        self.make = make
    }

    private static func range(_ number: Int) -> Range<Int> {
        start + number * chunk..<start + (number + 1) * chunk
    }

    private static func flip(_ name: String, _ place: Int, damages: [UInt32]) -> Change {
        Change(name, damages: damages) { bytes, _ in bytes[place] ^= 0x10 }
    }

    // ★ Table.
    static let all = [
        flip("a bit of slot 0", 300, damages: []),
        flip("the magic of slot 0", 0, damages: []),
        flip("the wrapped key of slot 0", 100, damages: []),
        flip("the class of slot 0", 10, damages: []),
        flip("the sequence of slot 1", 4096 + 32, damages: []),
        flip("the sealed part of slot 1", 4096 + 700, damages: []),
        flip("a nonce", start, damages: [0]),
        flip("a ciphertext", start + chunk + 100, damages: [1]),
        flip("a tag", start + chunk - 1, damages: [0]),
        Change("two chunks swapped", damages: [0, 1]) { bytes, _ in
            let (a, b) = (Array(bytes[range(0)]), Array(bytes[range(1)]))
            bytes.replaceSubrange(range(0), with: b)
            bytes.replaceSubrange(range(1), with: a)
        },
        Change("a chunk repeated", damages: [1]) { bytes, _ in
            bytes.replaceSubrange(range(1), with: Array(bytes[range(0)]))
        },
        Change("a chunk of another file", damages: [1]) { bytes, other in
            bytes.replaceSubrange(range(1), with: Array(other[range(1)]))
        },
        Change("a chunk of zeros", damages: [1]) { bytes, _ in
            bytes.replaceSubrange(range(1), with: [UInt8](repeating: 0, count: chunk))
        },
        Change("one byte cut off", damages: [2]) { bytes, _ in bytes.removeLast() },
        Change("the last chunk cut off", damages: [2]) { bytes, _ in
            bytes.removeLast(bytes.count - start - 2 * chunk)
        },
        Change("all chunks cut off", damages: [0, 1, 2]) { bytes, _ in
            bytes.removeLast(bytes.count - start)
        },
        Change("something behind the end", damages: []) { bytes, _ in
            bytes += Array("swprotrd".utf8) + [UInt8](repeating: 0, count: 32)
        },
    ]
}

@Suite struct `Damage to a protected file` {
    private let keys = MemoryFileKeys()
    private let folder: Folder
    private let content = pattern(2 * 65536 + 500)

    init() throws {
        folder = try Folder()
        for name in ["a", "b"] {
            let file = try FileContainer.create(folder(name), .complete, keys.source)
            try file.put(name == "a" ? content : pattern(200_000, seed: 5))
            try file.close()
        }
    }

    @Test(arguments: Change.all)
    private func `is told for the chunks that have it, and for no others`(change: Change) throws {
        var bytes = try contents(folder("a"))
        change.make(&bytes, try contents(folder("b")))
        try replace(folder("a"), bytes)
        let file = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        #expect(file.byteCount == content.count)
        let found: [UInt32?] = (0..<3).map { number in
            let range = number * 65536..<min(content.count, (number + 1) * 65536)
            do {
                let part = try file.some(range.lowerBound, range.count)
                #expect(part == Array(content[range]))
                return nil
            } catch {
                let damage = FileDamage.chunk(UInt32(number))
                #expect(error as? FileFailure == .damaged(folder("a"), damage))
                return UInt32(number)
            }
        }
        #expect(found.compactMap { $0 } == change.damaged)
    }

    @Test func `of both slots keeps the file from opening`() throws {
        var bytes = try contents(folder("a"))
        bytes[700] ^= 1
        bytes[4096 + 700] ^= 1
        try replace(folder("a"), bytes)
        #expect(throws: FileFailure.damaged(folder("a"), .header)) {
            try FileContainer.open(folder("a"), isWritable: false, keys.source)
        }
    }

    @Test func `of one slot is mended by a writer`() throws {
        let whole = try contents(folder("a"))
        var bytes = whole
        bytes[50] ^= 1
        try replace(folder("a"), bytes)
        try FileContainer.open(folder("a"), isWritable: true, keys.source).close()
        #expect(try contents(folder("a")) == whole)
    }

    @Test func `leaves nothing of a damaged chunk in the reader's buffer`() throws {
        var bytes = try contents(folder("a"))
        bytes[start + 65000] ^= 1
        try replace(folder("a"), bytes)
        let file = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        var buffer = [UInt8](repeating: 0xEE, count: 65536)
        #expect(throws: FileFailure.self) {
            try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        }
        #expect(buffer.allSatisfy { $0 == 0 })
    }

    @Test func `does not let an older slot of a weaker class open a locked file`() throws {
        let plain = try FileContainer.create(folder("c"), .none, keys.source)
        try plain.put(content)
        try plain.close()
        let weaker = try contents(folder("c"))
        let file = try FileContainer.open(folder("c"), isWritable: true, keys.source)
        try file.move(to: .complete)
        try file.close()
        var bytes = try contents(folder("c"))
        let newer = bytes[..<4096]
        bytes.replaceSubrange(4096..<8192, with: weaker[..<4096])
        bytes.replaceSubrange(..<4096, with: newer)
        try replace(folder("c"), bytes)
        keys.lock()
        #expect(throws: FileFailure.keychain(KeychainError(.interactionNotAllowed, ""))) {
            try FileContainer.open(folder("c"), isWritable: false, keys.source)
        }
    }
}
