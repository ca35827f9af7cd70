import KeychainSockets
import Secrets
import Synchronization

/// The writer of a daemon's waiting log lines, which makes them durable about once a second.
///
/// It works only while there are lines, and only on the logs that have some.
final class LogKeeper: Sendable {
    /// The longest time for which lines wait for others.
    private static let pauseMilliseconds: Int32 = 5
    private static let durableMilliseconds: UInt32 = 1000

    private let work: WakePipe
    private let stop: WakePipe
    private let noted = AdaptiveMutex<[AccountLog]>([])
    private let isStopped = Atomic(false)

    /// Returns nil if the process has no descriptors or threads left.
    init?() {
        guard let work = WakePipe(), let stop = WakePipe() else { return nil }
        self.work = work
        self.stop = stop
        guard DetachedThread.start({ [self] in run() }) else { return nil }
    }

    /// Records that a line was written, or waits.
    func note(_ log: AccountLog) {
        guard log.becomesNoted() else { return }
        let isFirst = noted.withLock { noted in
            noted.append(log)
            return noted.count == 1
        }
        if isFirst { work.wake() }
    }

    /// Ends the thread; the caller has to close the logs.
    func end() {
        isStopped.store(true, ordering: .releasing)
        stop.wake()
        work.wake()
    }

    private func run() {
        // The deadline for durability of the lines so far, and their logs; nil if all are durable.
        var due: Deadline?
        var written: [ObjectIdentifier: AccountLog] = [:]
        while true {
            if work.wait(milliseconds: due?.pollMilliseconds ?? -1) {
                stop.wait(milliseconds: Self.pauseMilliseconds)
                due = due ?? .after(milliseconds: Self.durableMilliseconds)
            }
            guard !isStopped.load(ordering: .acquiring) else { return }
            let taken = noted.withLock { noted in
                defer { noted = [] }
                return noted
            }
            for log in taken {
                written[ObjectIdentifier(log)] = log
                log.writeNoted()
            }
            guard let known = due, known.pollMilliseconds == 0 else { continue }
            due = nil
            for log in written.values { log.audit.synchronize() }
            written = [:]
        }
    }
}

/// Several keepers, so that one disk makes lines of several accounts durable at a time.
final class LogKeepers: Sendable {
    private static let count = 4

    private let keepers: [LogKeeper]

    /// Returns nil if the process has no descriptors or threads left.
    init?() {
        keepers = (0..<Self.count).compactMap { _ in LogKeeper() }
        if keepers.isEmpty { return nil }
    }

    /// Records that a line was written, or waits.
    func note(_ log: AccountLog) { keepers[Int(log.account) % keepers.count].note(log) }

    /// Works like `LogKeeper.end()`.
    func end() { for keeper in keepers { keeper.end() } }
}
