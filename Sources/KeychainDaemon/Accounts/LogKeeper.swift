import KeychainSockets
import Synchronization

/// Writes the lines of a daemon's logs that wait, and makes them durable about once a second; only
/// while there are lines.
final class LogKeeper: Sendable {
    /// For how long lines wait for others at most.
    private static let pauseMilliseconds: Int32 = 5
    private static let durableMilliseconds: UInt32 = 1000

    private let work: WakePipe
    private let stop: WakePipe
    private let isDirty = Atomic(false)
    private let isStopped = Atomic(false)
    private let registers: @Sendable () -> [AccountRegister]

    /// Returns nil if the process has no descriptors or threads left.
    init?(_ registers: @escaping @Sendable () -> [AccountRegister]) {
        guard let work = WakePipe(), let stop = WakePipe() else { return nil }
        self.work = work
        self.stop = stop
        self.registers = registers
        guard DetachedThread.start({ [self] in run() }) else { return nil }
    }

    /// A line was written, or waits.
    func note() {
        if !isDirty.exchange(true, ordering: .acquiringAndReleasing) { work.wake() }
    }

    /// Ends the thread; the logs are to be closed by whoever calls this.
    func end() {
        isStopped.store(true, ordering: .releasing)
        stop.wake()
        work.wake()
    }

    private func run() {
        // When the lines so far have to be durable; nil if they are.
        var due: Deadline?
        while true {
            if work.wait(milliseconds: due?.pollMilliseconds ?? -1) {
                stop.wait(milliseconds: Self.pauseMilliseconds)
                due = due ?? .after(milliseconds: Self.durableMilliseconds)
            }
            guard !isStopped.load(ordering: .acquiring) else { return }
            isDirty.store(false, ordering: .releasing)
            let registers = registers()
            for register in registers { _ = register.writeWaitingLines() }
            guard let known = due, known.pollMilliseconds == 0 else { continue }
            due = nil
            for register in registers { register.synchronizeLog() }
        }
    }
}
