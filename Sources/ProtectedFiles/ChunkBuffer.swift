import Glibc

/// The content of one chunk in memory, first zeros; wiped with the object.
final class ChunkBuffer {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: FileLayout.chunkByteCount,
        alignment: 64
    )

    init() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    deinit {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }

    /// Returns the first bytes.
    func prefix(_ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
    }

    /// Overwrites everything from an offset on with zeros.
    func clear(from place: Int) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[place...])
            .initializeMemory(as: UInt8.self, repeating: 0)
    }
}
