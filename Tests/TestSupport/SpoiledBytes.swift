/// A file as no reader may take it for whole.
package enum SpoiledBytes {
    /// Every beginning of the bytes, the bytes with bits of each one in turn flipped, and one more.
    package static func all(of bytes: [UInt8], flipping bits: UInt8 = 0x80) -> [[UInt8]] {
        cut(bytes) + flipped(bytes, bits) + [bytes + [0]]
    }

    /// Every beginning of the bytes; not all of them.
    package static func cut(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.map { Array(bytes[..<$0]) }
    }

    /// The bytes with bits of each one in turn flipped.
    package static func flipped(_ bytes: [UInt8], _ bits: UInt8 = 0x80) -> [[UInt8]] {
        bytes.indices.map { index in
            var changed = bytes
            changed[index] ^= bits
            return changed
        }
    }
}
