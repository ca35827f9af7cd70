import Glibc
import Secrets

// Definitions  "written": bytes 0 ..< byteCount, the message.
//              "touched": bytes that may differ from zero; at least those that are written.
// Invariants   (1) The memory comes from the arena of secrets and goes back to it wiped.
//              (2) After `reset` every byte of the memory is zero.     → WireBufferTests

/// A message in memory for secrets: it grows while it is written, and is used again for the next.
///
/// `@unchecked Sendable` is sound because the value alone owns its memory and cannot be copied.
package struct WireBuffer: ~Copyable, @unchecked Sendable {
    /// Memory up to this size is kept for the next message; an idle connection holds no more.
    package static let keptByteCount = 16 << 10
    private static let firstByteCount = 4096
    private static let largeByteCount = 1 << 20

    /// How many bytes the message has so far.
    package private(set) var byteCount = 0
    /// How much is written before it is too much.
    private var limit = Int.max
    /// What was wrong with the message first; what is written after it counts for nothing.
    private(set) var fault: WireError?
    /// How deep the value that is written lies in others.
    private var depth = 0
    /// What the message may still hold.
    private var budget = WireLimit.Budget.daemon

    private var slot: SecretSlot?
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var touchedByteCount = 0

    /// Nothing yet, and no memory.
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

    /// Wipes the message; memory that an idle connection need not hold goes back.
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
    /// No more is lent than there is already, or 4096 bytes, whichever is more: a large number
    /// alone takes no memory.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that are wanted, at least 1.
    ///   - body: Fills some of them, touches none behind those, and returns how many.
    /// - Returns: what the body returned.
    /// - Throws: what the body throws.
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

    /// Moves what is written behind a place to the end of another buffer.
    package mutating func moveEnd(from place: Int, to other: inout WireBuffer) {
        other.append(UnsafeRawBufferPointer(rebasing: memory[place..<byteCount]))
        byteCount = place
    }

    /// Appends bytes of another place.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0, let free = room(for: bytes.count), let source = bytes.baseAddress
        else { return }
        free.copyMemory(from: source, byteCount: bytes.count)
    }
}

// What the codec writes with.
extension WireBuffer {
    /// Begins a message of a side, with what that side's messages may hold.
    mutating func begin(by side: WireSide) {
        reset()
        limit = side.messageByteCountLimit
        budget = side.budget
    }

    /// Ends a message.
    ///
    /// - Throws: What made it impossible; then there is no message.
    mutating func end() throws(WireError) {
        guard let fault else { return }
        reset()
        throw fault
    }

    /// Notes that the value cannot be sent.
    mutating func refuse(_ error: WireError) {
        if fault == nil { fault = error }
    }

    /// Goes into a value that may lie in others of its kind.
    ///
    /// - Returns: Whether it may lie so deep; then `ascend` has to follow.
    mutating func descend() -> Bool {
        guard depth < WireLimit.depth else {
            refuse(.limitExceeded("depth"))
            return false
        }
        depth += 1
        return true
    }

    mutating func ascend() { depth -= 1 }

    /// Counts values against what the message may hold.
    mutating func spend(values: Int) { spend { budget in budget.takeValues(values) } }

    /// Counts a secret against what the message may hold.
    mutating func spendSecret(byteCount: Int) {
        spend { budget in budget.takeSecret(byteCount: byteCount) }
    }

    private mutating func spend(_ take: (inout WireLimit.Budget) -> WireError?) {
        if let error = take(&budget) { refuse(error) }
    }

    /// Takes back what was written behind a place.
    mutating func rewind(to byteCount: Int) { self.byteCount = min(byteCount, self.byteCount) }

    /// Whether the bytes at one place come before those at another, as numbers without signs.
    func isAscending(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        guard fault == nil else { return true }
        return UnsafeRawBufferPointer(rebasing: memory[first])
            .precedes(UnsafeRawBufferPointer(rebasing: memory[second]))
    }

    /// Memory for the next bytes, which count as written; nil if they are too many.
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

    /// Makes room, unless the message would become too large.
    @inline(never)
    private mutating func extend(by count: Int) -> Bool {
        guard count <= limit - byteCount else {
            refuse(.oversized)
            return false
        }
        grow(by: count)
        return true
    }

    /// Takes more memory: twice what there was, so that growing costs little in all.
    private mutating func grow(by count: Int) {
        // Every byte of it is resident from the beginning, so large memory grows by little.
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
    /// Whether the bytes come before others, as numbers without signs, and a beginning before the
    /// whole.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let theirs = other.baseAddress else {
            return count < other.count
        }
        let order = memcmp(mine, theirs, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}
