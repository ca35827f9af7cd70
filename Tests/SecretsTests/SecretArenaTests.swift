import TestSupport
import Testing

@testable import Secrets

@Suite struct `The arena of secrets` {
    @Test(
        .requirement("STO-19"),
        arguments: [1, 32, 33, 1000, SecretArena.largestSlotByteCount]
    )
    func `wipes a slot that comes back`(byteCount: Int) {
        let arena = SecretArena()
        let slot = arena.allocate(byteCount: byteCount)
        let bytes = slot.bytes(count: byteCount)
        bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
        arena.release(slot, usedByteCount: byteCount)
        #expect(slot.bytes(count: slot.capacity).allSatisfy { $0 == 0 })
    }

    @Test func `lends a returned slot again`() {
        let arena = SecretArena()
        let first = arena.allocate(byteCount: 40)
        arena.release(first, usedByteCount: 40)
        let second = arena.allocate(byteCount: 64)
        #expect(first.start == second.start)
    }

    @Test(
        arguments: [
            (1, 0), (31, 0), (32, 0), (33, 1), (64, 1), (65, 2), (2048, 6), (2049, 7), (4096, 7),
            (4097, nil),
        ] as [(Int, Int?)]
    )
    func `sorts sizes into powers of two`(byteCount: Int, sizeClass: Int?) {
        #expect(SecretArena.sizeClass(for: byteCount) == sizeClass)
    }

    @Test(arguments: [1, 32, 33, 100, 4096, 4097, 200_000])
    func `lends at least what is asked for`(byteCount: Int) {
        let arena = SecretArena()
        let slot = arena.allocate(byteCount: byteCount)
        #expect(slot.capacity >= byteCount)
        arena.release(slot, usedByteCount: byteCount)
    }

    @Test func `never lends the same bytes twice`() {
        let arena = SecretArena()
        let slotsOverTwoChunks = 2 * SecretArena.chunkByteCount / 256 + 1
        let slots = (0..<slotsOverTwoChunks).map { _ in arena.allocate(byteCount: 256) }
        let starts = slots.map { UInt(bitPattern: $0.start) }.sorted()
        let gaps = zip(starts.dropFirst(), starts).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 >= 256 })
        #expect(arena.usage.mappedByteCount == 3 * SecretArena.chunkByteCount)
    }

    @Test func `gives large slots back to the kernel`() {
        let arena = SecretArena()
        let slot = arena.allocate(byteCount: 5000)
        #expect(arena.usage.mappedByteCount == slot.capacity)
        arena.release(slot, usedByteCount: 5000)
        #expect(arena.usage == SecretArena.Usage())
        #expect(arena.usage.isLocked)
    }

    @Test func `counts no more locked bytes than mapped ones`() {
        let arena = SecretArena()
        let slot = arena.allocate(byteCount: 32)
        let usage = arena.usage
        #expect(usage.mappedByteCount == SecretArena.chunkByteCount)
        #expect([0, usage.mappedByteCount].contains(usage.lockedByteCount))
        arena.release(slot, usedByteCount: 0)
    }

    @Test func `serves many tasks at once without mixing their bytes`() async {
        let intact = await withTaskGroup(of: Bool.self) { group in
            for mark in UInt8(1)...64 {
                group.addTask {
                    (1...200).allSatisfy { round in
                        let bytes = [UInt8](repeating: mark, count: round * 29 % 5000)
                        return Secret(copying: bytes).duplicate().copyBytesUnprotected() == bytes
                    }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(intact)
    }
}
