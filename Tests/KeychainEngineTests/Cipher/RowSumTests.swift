import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// Of an entry's 32 bytes, lowest first.
private func entry(_ bytes: [UInt8]) -> RowSum {
    guard let entry = RowSum(entry: bytes) else { preconditionFailure("The test miscounted.") }
    return entry
}

private func entry(_ low: UInt8, _ rest: UInt8 = 0) -> RowSum {
    entry([low] + Array(repeating: rest, count: 31))
}

private func sum(_ parts: RowSum...) -> RowSum {
    var sum = RowSum()
    for part in parts { sum.add(part) }
    return sum
}

@Suite struct `A sum of rows` {
    @Test func `of no rows is all zeros`() {
        #expect(RowSum().encoded == Array(repeating: 0, count: 40))
    }

    @Test func `carries through all 256 bits, and drops what is beyond`() {
        let all = entry(Array(repeating: 0xFF, count: 32))
        let one = entry(1)
        #expect(Array(sum(all, one).encoded.prefix(32)) == Array(repeating: 0, count: 32))
        let double = [0xFE] + Array(repeating: UInt8(0xFF), count: 31)
        #expect(Array(sum(all, all).encoded.prefix(32)) == double)
        let word = entry(Array(repeating: 0xFF, count: 16) + Array(repeating: 0, count: 16))
        let next = Array(repeating: UInt8(0), count: 16) + [1] + Array(repeating: 0, count: 15)
        #expect(Array(sum(word, one).encoded.prefix(32)) == next)
    }

    @Test func `borrows through all 256 bits`() {
        var sum = RowSum()
        sum.subtract(entry(1))
        #expect(sum.encoded == Array(repeating: 0xFF, count: 40))
        #expect(sum.count == -1)
        sum.add(entry(1))
        #expect(sum == RowSum())
    }

    @Test func `does not depend on the order`() {
        let parts = [entry(7, 0xA0), entry(200, 0xFF), entry(99, 0x80)]
        #expect(sum(parts[0], parts[1], parts[2]) == sum(parts[2], parts[0], parts[1]))
    }

    @Test func `counts a row as often as it is there`() {
        #expect(sum(entry(7), entry(7)) != entry(7))
        #expect(sum(entry(7), entry(7)) != entry(14))
        #expect(sum(entry(7), entry(7)).count == 2)
    }

    @Test func `is what it was after any number of random additions are taken away`() {
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededNumbers(seed: seed)
        let parts = (0..<200).map { _ in
            entry((0..<32).map { _ in UInt8(random.next(below: 256)) })
        }
        var sum = RowSum()
        for part in parts { sum.add(part) }
        for part in parts.shuffled(using: &random) { sum.subtract(part) }
        #expect(sum == RowSum(), "seed \(seed)")
    }

    @Test func `comes back from its bytes, and from no others`() throws {
        var sum = sum(entry(1, 2), entry(3, 4))
        sum.subtract(entry(5, 6))
        #expect(RowSum(decoding: sum.encoded) == sum)
        let bytes = sum.encoded + [0]
        #expect(RowSum(entry: bytes) == nil && RowSum(entry: []) == nil)
        #expect(!(0...41).contains { $0 != 40 && RowSum(decoding: Array(bytes.prefix($0))) != nil })
    }
}

@Suite struct `A sealed sum of rows` {
    private let cipher: RowSumCipher
    private let sum: RowSum

    init() throws {
        cipher = try RowSumCipher(lookupKey: CipherFixture.lookupKey.secret)
        var sum = RowSum()
        for mark in Self.marks { sum.add(try cipher.entry(of: mark)) }
        self.sum = sum
    }

    private static let marks = [
        RowMark(itemClass: .genericPassword, row: 1, binding: Array(0x80..<0x90)),
        RowMark(itemClass: .key, row: 258, binding: Array(0x90..<0xA0)),
    ]

    /// Nonces of bytes that count up from B0.
    private struct Counting: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
            for place in buffer.indices { buffer[place] = 0xB0 + UInt8(place) }
        }
    }

    @Test func `has the bytes of the specification`() throws {
        let total = "5b3fdd2136021df8842b5cd9a987d428e2527e6f64647d35d79dd9c8312ac844"
        #expect(Self.hexadecimal(sum.encoded) == total + "0200000000000000")
        let sealed = """
            01b0b1b2b3b4b5b6b7b8b9babb6271ae9058e729c8a41eea21b31cb0fbb4345e9944ba54433bbd\
            e7555a318f7883221ee7eb708efedbef7bfca239601e6545ba1d84de473e
            """
        #expect(Self.hexadecimal(try cipher.seal(sum, random: Counting())) == sealed)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `opens as what was sealed`() throws {
        let sealed = try cipher.seal(sum, random: SystemRandomSource())
        #expect(sealed.count == 69)
        #expect(cipher.open(sealed) == sum)
    }

    @Test func `opens at no other length, and with no other byte`() throws {
        let sealed = try cipher.seal(sum, random: SystemRandomSource())
        let shorter = sealed.indices.map { Array(sealed.prefix($0)) }
        let changed = sealed.indices.map { place in
            var bytes = sealed
            bytes[place] ^= 0x10
            return bytes
        }
        #expect(!(shorter + changed + [sealed + [0]]).contains { cipher.open($0) != nil })
    }

    @Test func `opens in no other keychain`() throws {
        let other = try RowSumCipher(lookupKey: CipherFixture.key(from: 1).secret)
        #expect(other.open(try cipher.seal(sum, random: SystemRandomSource())) == nil)
    }

    @Test func `has another entry for another class, row or binding`() throws {
        let binding = Array(UInt8(0)..<16)
        let marks = [
            RowMark(itemClass: .genericPassword, row: 1, binding: binding),
            RowMark(itemClass: .internetPassword, row: 1, binding: binding),
            RowMark(itemClass: .genericPassword, row: 2, binding: binding),
            RowMark(itemClass: .genericPassword, row: 1, binding: Array(binding.dropLast())),
            RowMark(itemClass: .genericPassword, row: 1, binding: []),
        ]
        #expect(Set(try marks.map(cipher.entry)).count == marks.count)
    }

    @Test func `takes the binding from where both halves are bound to it`() throws {
        let item = try CipherFixture.sealed()
        #expect(item.binding == CipherFixture.cipher.binding(of: item)?.bytes)
    }
}
