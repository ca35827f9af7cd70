import Glibc
import Synchronization

/// The ID of this process, read once, because getpid(2) is a system call.
///
/// It is in a page of its own, which the kernel empties in every forked child. So a child reads its
/// own ID. If the kernel cannot empty the page, every call uses getpid(2).
/// - Source: madvise(2), `MADV_WIPEONFORK`; getpid(2).
enum ProcessNumber {
    private typealias Number = Atomic<pid_t>

    /// `nonisolated(unsafe)` is sound because the address never changes, and its target is atomic.
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

    /// The result of getpid(2).
    static var current: pid_t {
        guard let known else { return getpid() }
        let number = known.pointee.load(ordering: .relaxed)
        guard number == 0 else { return number }
        let found = getpid()
        known.pointee.store(found, ordering: .relaxed)
        return found
    }
}
