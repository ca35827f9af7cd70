import Synchronization

/// Makes the logs of a daemon durable about once a second, and only while lines are written.
final class LogKeeper: Sendable {
    private static let pauseMilliseconds: Int32 = 1000

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
        guard BackgroundThread.start({ [self] in run() }) else { return nil }
    }

    /// A line was written.
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
        while true {
            work.wait(milliseconds: -1)
            stop.wait(milliseconds: Self.pauseMilliseconds)
            guard !isStopped.load(ordering: .acquiring) else { return }
            isDirty.store(false, ordering: .releasing)
            for register in registers() { register.synchronizeLog() }
        }
    }
}
