import Glibc

@_implementationOnly import CProcess

/// A few kilobytes of memory behind a descriptor, which another process can keep.
///
/// Its size is sealed, so that a holder of the descriptor cannot truncate it under the mapping. Its
/// content is wiped when it is dropped, also for other holders of the descriptor.
///
/// `@unchecked Sendable` is sound because the mapping is reached only under the owner's lock.
final class KeptMemory: @unchecked Sendable {
    static let byteCount = 8192

    let descriptor: Int32
    private let bytes: UnsafeMutableRawBufferPointer

    /// Creates memory with these bytes at its start, followed by zeros.
    ///
    /// - Returns: nil if the kernel has none, or if the bytes do not fit.
    convenience init?(_ content: [UInt8]) {
        guard content.count <= Self.byteCount else { return nil }
        let descriptor = process_memory_file("keychain-session", Self.byteCount)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor)
        content.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    /// Takes over a kept descriptor; closes it if it is not of this kind.
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
        // Without a sufficient limit it can be swapped, like shared memory.
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

    /// Overwrites it with zeros, for every holder.
    func wipe() {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
    }
}
