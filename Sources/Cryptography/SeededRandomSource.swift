import Synchronization

/// Repeatable bytes for tests and the simulator; the seed determines all of them.
///
/// The generator is SplitMix64: a counter in steps of the golden ratio, mixed twice.
package final class SeededRandomSource: RandomSource {
    private let counter: Mutex<UInt64>

    /// Starts the sequence that belongs to the seed.
    package init(seed: UInt64) {
        counter = Mutex(seed)
    }

    /// Continues the sequence; the rest of a group of 8 bytes is not kept for the next call.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        counter.withLock { counter in
            var group: UInt64 = 0
            for index in buffer.indices {
                if index.isMultiple(of: 8) { group = Self.next(after: &counter) }
                buffer[index] = UInt8(truncatingIfNeeded: group)
                group >>= 8
            }
        }
    }

    private static func next(after counter: inout UInt64) -> UInt64 {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var mixed = counter
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
