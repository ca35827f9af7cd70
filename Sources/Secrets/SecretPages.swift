import Glibc

/// Whole pages from the kernel, prepared for secrets.
///
/// `@unchecked Sendable` is sound because the value only refers to the pages; `SecretArena` decides
/// under its lock which code may use which part of them.
struct SecretPages: @unchecked Sendable {
    /// The first byte.
    let start: UnsafeMutableRawPointer

    /// The size in bytes, a multiple of the page size.
    let byteCount: Int

    /// Whether `mlock` protects the pages from being swapped out.
    let isLocked: Bool

    /// Maps zeroed pages, and protects them as far as the kernel permits.
    ///
    /// A refused `mlock` (see `RLIMIT_MEMLOCK`) or `madvise` leaves usable pages. Ends the process
    /// if there is no memory at all.
    ///
    /// - Parameter minimum: The least size in bytes; rounded up to whole pages.
    /// - Source: mmap(2), mlock(2), madvise(2).
    init(byteCount minimum: Int) {
        let pageByteCount = sysconf(Int32(_SC_PAGESIZE))
        byteCount = (minimum + pageByteCount - 1) / pageByteCount * pageByteCount
        let mapping = mmap(
            nil,
            byteCount,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS,
            -1,
            0
        )
        guard let mapping, mapping != MAP_FAILED else {
            preconditionFailure("The kernel has no memory left for a secret.")
        }
        start = mapping
        isLocked = mlock(mapping, byteCount) == 0
        madvise(mapping, byteCount, MADV_DONTDUMP)
        madvise(mapping, byteCount, MADV_WIPEONFORK)
    }

    /// Wipes the pages, and returns them to the kernel.
    func returnToKernel() {
        explicit_bzero(start, byteCount)
        unmap()
    }

    /// Returns pages that were already wiped to the kernel.
    func unmap() { munmap(start, byteCount) }
}
