import Glibc
import Secrets

// Definitions  "written": bytes 0 ..< byteCount, the message.
//              "touched": bytes that may differ from zero; at least those that are written.
// Invariants   (1) The memory comes from the arena of secrets, and is wiped when it is returned.
//              (2) After `reset` every byte of the memory is zero.     → WireBufferTests

/// A message in memory for secrets, which grows while it is written, and serves again for the next.
///
/// `@unchecked Sendable` is sound because only the value owns its memory and cannot be copied.
package struct WireBuffer: ~Copyable, @unchecked Sendable {
    /// Memory up to this size is kept for the next message; an idle connection holds no more.
    package static let keptByteCount = 16 << 10
    private static let firstByteCount = 4096
    private static let largeByteCount = 1 << 20

    /// The number of bytes of the message so far.
    package private(set) var byteCount = 0
    /// The largest size of the message.
    private var limit = Int.max
    /// The first error in the message; later writes then have no effect on the outcome.
    private(set) var fault: WireError?
    /// The nesting depth of the value that is being written.
    private var depth = 0
    /// The rest of the limits of the message's content.
    private var budget = WireLimit.Budget.daemon

    private var slot: SecretSlot?
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var touchedByteCount = 0

    /// Creates an empty buffer without memory.
    package init() {}

    deinit {
        if let slot { SecretArena.shared.release(slot, usedByteCount: touchedByteCount) }
    }

    /// Lends the message for the length of one call; the pointer must not escape it.
    package borrowing func withUnsafeBytes<R: ~Copyable, E>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
    }

    /// Wipes the message, and returns the memory that an idle connection does not need.
    package mutating func reset() {
        byteCount = 0
        limit = .max
        fault = nil
        depth = 0
        guard let slot else { return }
        if memory.count > Self.keptByteCount {
            SecretArena.shared.release(slot, usedByteCount: touchedByteCount)
            self.slot = nil
            memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        } else {
            if let start = memory.baseAddress { explicit_bzero(start, touchedByteCount) }
        }
        touchedByteCount = 0
    }

    /// Lends free memory behind the message, which the body fills from its beginning.
    ///
    /// The memory lent is at most as large as the message so far, or 4096 bytes if that is more, so
    /// that a large `limit` does not by itself take memory.
    ///
    /// - Parameters:
    ///   - limit: The largest number of bytes to lend, at least 1.
    ///   - body: Fills some of them, touches none behind those, and returns their number.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body.
    package mutating func append<E>(
        atMost limit: Int,
        filledBy body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        let count = min(limit, max(Self.firstByteCount, byteCount))
        if memory.count - byteCount < count { grow(by: count) }
        let free = UnsafeMutableRawBufferPointer(rebasing: memory[byteCount..<byteCount + count])
        var touched = count
        defer { touchedByteCount = max(touchedByteCount, byteCount + touched) }
        let filled = try body(free)
        precondition(filled >= 0 && filled <= count, "Only memory that was lent can be filled.")
        byteCount += filled
        touched = 0
        return filled
    }

    /// Moves the bytes behind an offset to the end of another buffer.
    package mutating func moveEnd(from place: Int, to other: inout WireBuffer) {
        other.append(UnsafeRawBufferPointer(rebasing: memory[place..<byteCount]))
        byteCount = place
    }

    /// Appends a copy of bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0, let free = room(for: bytes.count), let source = bytes.baseAddress
        else { return }
        free.copyMemory(from: source, byteCount: bytes.count)
    }
}

// The operations for the codec.
extension WireBuffer {
    /// Begins a message of a side, with the limits for that side's messages.
    mutating func begin(by side: WireSide) {
        reset()
        limit = side.messageByteCountLimit
        budget = side.budget
    }

    /// Ends a message.
    ///
    /// - Throws: The first error in the message, which is then discarded.
    mutating func end() throws(WireError) {
        guard let fault else { return }
        reset()
        throw fault
    }

    /// Records that the value cannot be sent.
    mutating func refuse(_ error: WireError) {
        if fault == nil { fault = error }
    }

    /// Enters a value that can be nested in others of its kind.
    ///
    /// - Returns: Whether this depth is permitted; then `ascend` has to follow.
    mutating func descend() -> Bool {
        guard depth < WireLimit.depth else {
            refuse(.limitExceeded("depth"))
            return false
        }
        depth += 1
        return true
    }

    mutating func ascend() { depth -= 1 }

    /// Counts values against the limits of the message.
    mutating func spend(values: Int) { spend { budget in budget.takeValues(values) } }

    /// Counts a secret against the limits of the message.
    mutating func spendSecret(byteCount: Int) {
        spend { budget in budget.takeSecret(byteCount: byteCount) }
    }

    private mutating func spend(_ take: (inout WireLimit.Budget) -> WireError?) {
        if let error = take(&budget) { refuse(error) }
    }

    /// Removes the bytes behind an offset.
    mutating func rewind(to byteCount: Int) { self.byteCount = min(byteCount, self.byteCount) }

    /// Whether the bytes of one range precede those of another, as unsigned numbers.
    func isAscending(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        guard fault == nil else { return true }
        return UnsafeRawBufferPointer(rebasing: memory[first])
            .precedes(UnsafeRawBufferPointer(rebasing: memory[second]))
    }

    /// Returns memory for the next bytes, which count as written; nil if they are too many.
    @inline(__always)
    mutating func room(for count: Int) -> UnsafeMutableRawPointer? {
        guard count <= memory.count - byteCount && count <= limit - byteCount || extend(by: count)
        else { return nil }
        defer {
            byteCount += count
            if touchedByteCount < byteCount { touchedByteCount = byteCount }
        }
        return memory.baseAddress.map { $0 + byteCount }
    }

    /// Enlarges the memory, unless the message would become too large.
    @inline(never)
    private mutating func extend(by count: Int) -> Bool {
        guard count <= limit - byteCount else {
            refuse(.oversized)
            return false
        }
        grow(by: count)
        return true
    }

    /// Takes more memory, usually twice as much, so that growth costs little overall.
    private mutating func grow(by count: Int) {
        // The kernel backs every byte at once, so large memory grows in smaller steps.
        let isLarge = memory.count >= Self.largeByteCount
        let usual = isLarge ? memory.count + memory.count / 4 : memory.count * 2
        let wanted = max(Self.firstByteCount, usual, byteCount + count)
        let larger = SecretArena.shared.allocate(byteCount: wanted)
        let target = larger.bytes(count: larger.capacity)
        if byteCount > 0 {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
        }
        if let slot { SecretArena.shared.release(slot, usedByteCount: touchedByteCount) }
        slot = larger
        memory = target
        touchedByteCount = byteCount
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes precede others, as unsigned numbers, with a prefix before the whole.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let theirs = other.baseAddress else {
            return count < other.count
        }
        let order = memcmp(mine, theirs, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}
