import Glibc
import KeychainMessages

// Invariants   (1) At most `count` calls of a person are at work at a time.
//              (2) Whoever waits for a person, or for a turn in which a passcode is tried, has no
//                  slot meanwhile; nor has a lock.
//              (3) Whoever came first goes first.

/// Lets few calls of one person be at work at a time, so that a machine with few processors answers
/// other persons as soon as they ask.
///
/// `@unchecked Sendable` is sound because everything that changes does so under the mutex.
final class CallSlots: CallTurn, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let count: Int
    private var taken = 0
    /// Who comes next, and who came last.
    private var next: UInt64 = 0
    private var last: UInt64 = 0

    init(_ count: Int) {
        self.count = count
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func enter() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let number = last
        last &+= 1
        while number != next || taken >= count { pthread_cond_wait(condition, mutex) }
        next &+= 1
        taken += 1
        // The one behind may find a slot, too.
        if next != last, taken < count { pthread_cond_broadcast(condition) }
    }

    func leave() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        taken -= 1
        if next != last { pthread_cond_broadcast(condition) }
    }

    /// Works in a slot.
    func work<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
        enter()
        defer { leave() }
        return try body()
    }
}
