import Glibc
import KeychainMessages

// Invariants   (1) At most `count` calls of a person work at a time.
//              (2) A call that waits for a prompt, or for the turn to try a passcode, holds no slot
//                  meanwhile. A lock never needs one.
//              (3) Slots are given in the order of arrival.

/// The limit of the calls of one person that work at a time.
///
/// So a machine with few processors answers other persons promptly.
///
/// `@unchecked Sendable` is sound because everything that changes does so under the mutex.
final class CallSlots: CallTurn, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let count: Int
    private var taken = 0
    /// The ticket that is next, and the last one given out.
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
        // The next waiting call may find a slot, too.
        if next != last, taken < count { pthread_cond_broadcast(condition) }
    }

    func leave() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        taken -= 1
        if next != last { pthread_cond_broadcast(condition) }
    }

    /// Runs `body` in a slot.
    func work<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
        enter()
        defer { leave() }
        return try body()
    }
}
