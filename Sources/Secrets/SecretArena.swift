import Glibc

// Definitions  "chunk": 64 KiB from the kernel, divided into slots of one size class.
//              "large": more than 4096 bytes; such a slot is a separate mapping.
// Invariants   (1) A slot on a free list contains only zero bytes.       → SecretArenaTests
//              (2) A slot has at most one borrower.                      → SecretArenaTests
//              (3) Chunks return to the kernel only when the arena itself ends.
//              (4) While the kernel maps, locks or releases a large slot, which takes milliseconds,
//                  no other thread waits for the arena.                  → SecretArenaTests
// The free lists are outside the slots. In a forked child the pages read as zeros, so links in them
// would be lost.

/// The memory of secrets: locked in RAM, absent from core files, zeroed in forked children.
///
/// Borrowing and returning a slot costs one uncontended lock and one array operation. There is one
/// system call for each chunk, and for each large slot.
package final class SecretArena: Sendable {
    /// The arena of every `Secret` in this process; it lives as long as the process.
    package static let shared = SecretArena()

    /// The size of one chunk in bytes.
    static let chunkByteCount = 64 * 1024

    /// The size of the smallest slot in bytes.
    static let smallestSlotByteCount = 32

    /// The size of the largest slot in a chunk, in bytes.
    static let largestSlotByteCount = 4096

    private let state = AdaptiveMutex(State())
    private let kernel: Kernel

    /// Makes an arena without memory.
    package convenience init() { self.init(kernel: .real) }

    init(kernel: Kernel) { self.kernel = kernel }

    deinit {
        state.withLock { state in
            for chunk in state.chunks { chunk.returnToKernel() }
        }
    }

    /// The memory of the arena, and the part that the kernel has locked.
    package var usage: Usage { state.withLock { state in state.usage } }

    /// Lends zeroed memory to one borrower.
    ///
    /// Ends the process if the kernel has no memory left, like any Swift allocation.
    ///
    /// - Parameter byteCount: The size in bytes, at least 1.
    /// - Returns: A slot of at least `byteCount` bytes, all zero.
    package func allocate(byteCount: Int) -> SecretSlot {
        precondition(byteCount > 0, "A slot has at least one byte.")
        guard let sizeClass = Self.sizeClass(for: byteCount) else {
            let pages = kernel.map(byteCount)
            return state.withLock { state in state.keepLargeSlot(pages) }
        }
        return state.withLock { state in state.takeSlot(of: sizeClass, from: kernel) }
    }

    /// Wipes a slot and takes it back.
    ///
    /// - Parameters:
    ///   - slot: A slot from this arena that was not released since.
    ///   - usedByteCount: The number of leading bytes that may differ from zero.
    package func release(_ slot: SecretSlot, usedByteCount: Int) {
        let used = slot.bytes(count: usedByteCount)
        if let start = used.baseAddress { explicit_bzero(start, used.count) }
        guard let sizeClass = Self.sizeClass(for: slot.capacity) else {
            return kernel.unmap(state.withLock { state in state.takeLargeSlot(slot) })
        }
        state.withLock { state in state.freeSlots[sizeClass].append(slot) }
    }

    /// Returns the index of the smallest class that fits; nil for a large slot.
    static func sizeClass(for byteCount: Int) -> Int? {
        guard byteCount <= largestSlotByteCount else { return nil }
        let rounded = max(byteCount, smallestSlotByteCount) - 1
        let smallestBits = smallestSlotByteCount.trailingZeroBitCount
        return Int.bitWidth - rounded.leadingZeroBitCount - smallestBits
    }
}

extension SecretArena {
    /// The arena's memory from the kernel, in bytes.
    package struct Usage: Sendable, Equatable {
        /// All mapped memory.
        package internal(set) var mappedByteCount = 0

        /// The part that `mlock` accepted; the rest may reach a swap device.
        package internal(set) var lockedByteCount = 0

        /// Whether no secret can reach a swap device.
        package var isLocked: Bool { lockedByteCount == mappedByteCount }
    }

    private struct State {
        var usage = Usage()
        var chunks: [SecretPages] = []
        var largeSlots: [UInt: SecretPages] = [:]
        var freeSlots: [[SecretSlot]]

        init() {
            let classCount = (largestSlotByteCount / smallestSlotByteCount).trailingZeroBitCount + 1
            freeSlots = Array(repeating: [], count: classCount)
        }

        mutating func takeSlot(of sizeClass: Int, from kernel: Kernel) -> SecretSlot {
            if let slot = freeSlots[sizeClass].popLast() { return slot }
            let chunk = kernel.map(chunkByteCount)
            count(chunk)
            chunks.append(chunk)
            let slotByteCount = smallestSlotByteCount << sizeClass
            let offsets = stride(from: slotByteCount, to: chunkByteCount, by: slotByteCount)
            freeSlots[sizeClass] = offsets.reversed().map { offset in
                SecretSlot(start: chunk.start + offset, capacity: slotByteCount)
            }
            return SecretSlot(start: chunk.start, capacity: slotByteCount)
        }

        mutating func keepLargeSlot(_ pages: SecretPages) -> SecretSlot {
            count(pages)
            largeSlots[UInt(bitPattern: pages.start)] = pages
            return SecretSlot(start: pages.start, capacity: pages.byteCount)
        }

        mutating func takeLargeSlot(_ slot: SecretSlot) -> SecretPages {
            guard let pages = largeSlots.removeValue(forKey: UInt(bitPattern: slot.start)) else {
                preconditionFailure("A slot is returned once, to the arena that lent it.")
            }
            usage.mappedByteCount -= pages.byteCount
            if pages.isLocked { usage.lockedByteCount -= pages.byteCount }
            return pages
        }

        private mutating func count(_ pages: SecretPages) {
            usage.mappedByteCount += pages.byteCount
            if pages.isLocked { usage.lockedByteCount += pages.byteCount }
        }
    }

    /// The source of pages.
    struct Kernel: Sendable {
        var map: @Sendable (_ byteCount: Int) -> SecretPages
        var unmap: @Sendable (SecretPages) -> Void

        static let real = Kernel(
            map: { SecretPages(byteCount: $0) },
            // The pages were wiped when they were returned.
            unmap: { $0.unmap() }
        )
    }
}
