// ★ Table: the sizes of Documentation/Spec/file.md.

import Cryptography

/// The layout of a protected file.
enum FileLayout {
    static let chunkBits = 16
    /// Bytes of content in a whole chunk.
    static let chunkByteCount = 1 << chunkBits
    /// Bytes of a whole chunk on the disk.
    static let sealedChunkByteCount = chunkByteCount + ChunkCipher.overhead
    static let slotByteCount = 4096
    static let firstChunk = 2 * slotByteCount
    /// The limit of 32-bit numbers, which must also hold the number behind the last chunk.
    static let chunkCountLimit = Int(UInt32.max)
    static let byteCountLimit = chunkCountLimit << chunkBits

    static func offset(of chunk: UInt32) -> Int { firstChunk + Int(chunk) * sealedChunkByteCount }

    /// Returns the number of chunks of a content of a number of bytes.
    static func chunkCount(_ byteCount: Int) -> UInt32 {
        UInt32((byteCount + chunkByteCount - 1) >> chunkBits)
    }

    /// Returns the number of bytes that a chunk holds of a content of `byteCount` bytes.
    static func byteCount(of chunk: UInt32, in byteCount: Int) -> Int {
        max(0, min(chunkByteCount, byteCount - Int(chunk) << chunkBits))
    }

    /// Returns the first byte behind the chunks of a content of a number of bytes.
    static func end(_ byteCount: Int) -> Int {
        let count = chunkCount(byteCount)
        guard count > 0 else { return firstChunk }
        let last = Self.byteCount(of: count - 1, in: byteCount)
        return offset(of: count - 1) + last + ChunkCipher.overhead
    }
}

/// Numbers, most significant byte first.
enum BigEndian {
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }

    /// Returns the number at an offset; the caller knows that its bytes exist.
    static func number<Number: FixedWidthInteger>(
        _ bytes: borrowing [UInt8],
        at offset: Int
    ) -> Number {
        bytes.withUnsafeBytes { buffer in
            Number(bigEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
    }
}

extension [UInt8] {
    func withRawBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }

    mutating func withMutableRawBytes<Value, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeMutableBufferPointer { buffer throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
