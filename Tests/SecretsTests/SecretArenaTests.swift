import Dispatch
import Foundation
import Synchronization
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

    @Test(arguments: [false, true])
    func `keeps nobody waiting while the kernel has a large slot`(isReturned: Bool) {
        let others = Others()
        var kernel = SecretArena.Kernel.real
        kernel.map = { byteCount in
            if !isReturned, byteCount > SecretArena.chunkByteCount { others.takeTurn() }
            return SecretPages(byteCount: byteCount)
        }
        kernel.unmap = { pages in
            if isReturned { others.takeTurn() }
            pages.unmap()
        }
        let arena = SecretArena(kernel: kernel)
        arena.release(arena.allocate(byteCount: 40), usedByteCount: 0)
        others.start { arena.release(arena.allocate(byteCount: 40), usedByteCount: 40) }
        arena.release(arena.allocate(byteCount: 1 << 20), usedByteCount: 100)
        #expect(others.hadTurn)
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

/// Another thread, which works while the kernel does.
private final class Others: Sendable {
    private let isWanted = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)
    private let had = Atomic(false)

    var hadTurn: Bool { had.load(ordering: .relaxed) }

    func start(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            isWanted.wait()
            work()
            isOver.signal()
        }
    }

    /// Lets the other thread work to its end; it never ends while it waits for whoever calls this.
    func takeTurn() {
        isWanted.signal()
        if isOver.wait(timeout: .now() + 20) == .success { had.store(true, ordering: .relaxed) }
    }
}
