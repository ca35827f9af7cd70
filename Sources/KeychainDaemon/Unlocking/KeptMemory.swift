import Glibc

@_implementationOnly import CProcess

/// A few kilobytes of memory behind a descriptor, which another process can keep.
///
/// Its size is sealed, so nobody who has the descriptor can cut it off under the mapping. Its
/// content is not: it is wiped when it is given up, also for whoever still has the descriptor.
///
/// `@unchecked Sendable` is sound because the mapping is reached under the owner's lock alone.
final class KeptMemory: @unchecked Sendable {
    static let byteCount = 8192

    let descriptor: Int32
    private let bytes: UnsafeMutableRawBufferPointer

    /// New memory with these bytes at its start, then zeros.
    ///
    /// - Returns: nil if the kernel has none, or the bytes do not fit.
    convenience init?(_ content: [UInt8]) {
        guard content.count <= Self.byteCount else { return nil }
        let descriptor = process_memory_file("keychain-session", Self.byteCount)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor)
        content.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    /// Takes over a descriptor that somebody kept; it is closed if it is not one of these.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size == Self.byteCount,
            process_size_is_sealed(descriptor) == 1,
            let start = mmap(
                nil,
                Self.byteCount,
                PROT_READ | PROT_WRITE,
                MAP_SHARED,
                descriptor,
                0
            ), start != MAP_FAILED
        else {
            close(descriptor)
            return nil
        }
        // Where the limit does not allow it, it can be swapped, as in shared memory.
        _ = mlock(start, Self.byteCount)
        _ = madvise(start, Self.byteCount, MADV_DONTDUMP)
        self.descriptor = descriptor
        bytes = UnsafeMutableRawBufferPointer(start: start, count: Self.byteCount)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(start, bytes.count) }
        close(descriptor)
    }

    var content: [UInt8] { [UInt8](bytes) }

    /// Overwrites it with zeros, for everybody who has it.
    func wipe() {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
    }
}
