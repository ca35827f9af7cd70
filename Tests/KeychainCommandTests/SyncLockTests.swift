import Glibc
import Testing

@testable import keychain_sync

@Suite struct `The lock of synchronization` {
    /// A program with other variables, such as one that a timer starts.
    private func isFree(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    @Test func `is at one place for all programs of an account`() throws {
        let subject = "keychain \(getpid())"
        let path = SyncLock.path(subject, getuid())
        defer { unlink(path) }
        do {
            let lock = try SyncLock(subject, getuid())
            #expect(!isFree(path))
            extend(lock)
        }
        #expect(isFree(path))
    }

    @Test func `is another one for another keychain and another account`() {
        let paths = [("a", 1), ("b", 1), ("a", 2)].map { SyncLock.path($0.0, $0.1) }
        #expect(Set(paths).count == 3)
    }

    /// Keeps a lock to this point.
    private func extend(_ lock: borrowing SyncLock) {}
}
