import Dispatch
import Foundation

/// Two threads that change the same number without a lock.
///
/// ThreadSanitizer has to report it; otherwise the check of the other threads means nothing.
enum DeliberateRace {
    static func run() {
        // The race is deliberate.
        nonisolated(unsafe) let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        number.initialize(to: 0)
        defer { number.deallocate() }
        let group = DispatchGroup()
        for _ in 0..<2 {
            Thread.detachNewThread(in: group) {
                for _ in 0..<1000 { number.pointee += 1 }
            }
        }
        group.wait()
    }
}
