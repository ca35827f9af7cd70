import Glibc
import Synchronization

/// The number of this process, looked up once: to ask the kernel in every call would be a system
/// call.
///
/// A forked child is another process. The kernel hands it the page with the number as zeros, however
/// it was forked, so the child asks for its own. Where the kernel cannot do that, it is asked every
/// time.
/// - Source: madvise(2), `MADV_WIPEONFORK`; getpid(2).
enum ProcessNumber {
    private typealias Number = Atomic<pid_t>

    /// `nonisolated(unsafe)` is sound because the address never changes, and what it leads to is
    /// atomic.
    private nonisolated(unsafe) static let known: UnsafeMutablePointer<Number>? = {
        let byteCount = sysconf(Int32(_SC_PAGESIZE))
        let protection = PROT_READ | PROT_WRITE
        let page = mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let page, page != MAP_FAILED else { return nil }
        guard madvise(page, byteCount, MADV_WIPEONFORK) == 0 else {
            munmap(page, byteCount)
            return nil
        }
        let number = page.bindMemory(to: Number.self, capacity: 1)
        number.initialize(to: Number(0))
        return number
    }()

    /// The number that getpid(2) would tell.
    static var current: pid_t {
        guard let known else { return getpid() }
        let number = known.pointee.load(ordering: .relaxed)
        guard number == 0 else { return number }
        let found = getpid()
        known.pointee.store(found, ordering: .relaxed)
        return found
    }
}
