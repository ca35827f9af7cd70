import Foundation
import KeychainServices
import Synchronization

/// Dictionaries that several threads read.
///
/// `@unchecked Sendable` is correct because the dictionaries never change.
final class CallList: @unchecked Sendable {
    let dictionaries: [CFDictionary]

    init(_ dictionaries: [CFDictionary]) { self.dictionaries = dictionaries }
}

/// The same work on several threads at once.
enum Threads {
    /// Returns the time until the last thread ends.
    ///
    /// - Throws: The first error of a thread.
    static func nanoseconds(
        _ count: Int,
        _ body: @escaping @Sendable (Int) throws -> Void
    ) throws -> Double {
        let failure = Mutex<(any Error)?>(nil)
        let time = Stopwatch.nanoseconds {
            let group = DispatchGroup()
            for index in 0..<count {
                group.enter()
                let thread = Thread {
                    defer { group.leave() }
                    do {
                        try body(index)
                    } catch {
                        failure.withLock { $0 = $0 ?? error }
                    }
                }
                thread.stackSize = 1 << 20
                thread.start()
            }
            group.wait()
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return time
    }
}
