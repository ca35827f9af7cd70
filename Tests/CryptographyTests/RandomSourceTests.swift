import Cryptography
import Testing

@Suite struct `A source of random bytes` {
    @Test(arguments: [0, 1, 12, 32, 100_000])
    func `fills exactly what is asked of it`(byteCount: Int) throws {
        #expect(try SystemRandomSource().bytes(byteCount).count == byteCount)
        #expect(try SystemRandomSource().secret(byteCount).byteCount == byteCount)
        #expect(try SeededRandomSource(seed: 1).bytes(byteCount).count == byteCount)
    }

    @Test func `gives new keys when it is the kernel`() throws {
        let source = SystemRandomSource()
        let isRepeated = try source.secret(32).constantTimeEquals(source.secret(32))
        #expect(!isRepeated)
    }

    @Test func `leaves no part of a large buffer untouched when it is the kernel`() throws {
        let bytes = try SystemRandomSource().bytes(1 << 20)
        let emptyRuns = stride(from: 0, to: bytes.count, by: 64).filter { start in
            bytes[start..<start + 64].allSatisfy { $0 == 0 }
        }
        #expect(emptyRuns.isEmpty)
    }

    // The first outputs of SplitMix64 for seed 0, little-endian.
    @Test func `is the SplitMix64 sequence when it is seeded`() throws {
        let expected: Hex = "afcd1d7b39a820e2 f465b9a16a9e786e"
        #expect(try SeededRandomSource(seed: 0).bytes(16) == expected.bytes)
        #expect(try SeededRandomSource(seed: 0).bytes(11) == Array(expected.bytes.prefix(11)))
    }

    @Test(arguments: [0, 1, .max] as [UInt64])
    func `repeats itself for the same seed`(seed: UInt64) throws {
        let first = try SeededRandomSource(seed: seed).bytes(100)
        #expect(try SeededRandomSource(seed: seed).bytes(100) == first)
        #expect(try SeededRandomSource(seed: seed &+ 1).bytes(100) != first)
    }

    @Test func `moves on from call to call`() throws {
        let source = SeededRandomSource(seed: 7)
        #expect(try source.bytes(16) != source.bytes(16))
    }
}
