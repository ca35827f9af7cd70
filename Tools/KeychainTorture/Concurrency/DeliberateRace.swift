import Dispatch
import Foundation

/// Two threads that count in the same memory without a lock.
///
/// ThreadSanitizer has to report it: a check that is blind finds nothing, either.
enum DeliberateRace {
    static func run() {
        // Not safe at all, which is what it is for.
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
