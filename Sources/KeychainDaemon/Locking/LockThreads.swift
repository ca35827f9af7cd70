import KeychainSockets
import LoginEvents
import Synchronization
import SystemBus

/// The threads that lock: one listens to logind, one watches the clocks.
package final class LockThreads: Sendable {
    /// The longest wait for a clock, because the wait does not count sleep, and users can set the
    /// wall clock.
    private static let longestWait = Duration.seconds(60)
    private static let shortestWait = Duration.milliseconds(50)
    private static let retries: [Duration] = [1, 2, 5, 10, 30, 60].map { .seconds($0) }

    private let locks: KeychainLocks
    /// The only account to watch; nil for all.
    private let account: UInt32?
    private let bus: SystemBus.Kind
    private let note: @Sendable (String) -> Void
    private let stop: WakePipe
    private let clock: WakePipe
    private let isStopped = Mutex(false)

    /// Returns nil if the process has no descriptors left.
    package init?(
        _ locks: KeychainLocks,
        account: UInt32?,
        bus: SystemBus.Kind = .system,
        note: @escaping @Sendable (String) -> Void
    ) {
        guard let stop = WakePipe(), let clock = WakePipe() else { return nil }
        self.locks = locks
        self.account = account
        self.bus = bus
        self.note = note
        self.stop = stop
        self.clock = clock
    }

    /// Starts both threads.
    ///
    /// - Returns: Whether they could be started.
    package func start() -> Bool {
        DetachedThread.start({ [self] in watchClocks() })
            && DetachedThread.start({ [self] in watchLogind() })
    }

    /// Ends both threads soon.
    package func end() {
        isStopped.withLock { $0 = true }
        stop.wake()
        clock.wake()
    }

    /// Tells the clock thread to look again, after every request that may unlock or change
    /// settings.
    package func deviceChanged() { clock.wake() }

    private var isRunning: Bool { isStopped.withLock { !$0 } }

    private func watchClocks() {
        while isRunning {
            let next = locks.lockWhatIsDue()
            let wait = next.map { min(max($0, Self.shortestWait), Self.longestWait) }
            // Round up, because after an early end there would be another wait.
            let milliseconds = wait.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) }
            clock.wait(milliseconds: milliseconds ?? -1)
        }
    }

    private func watchLogind() {
        var state = LoginState(account: account)
        var failures = 0
        while isRunning {
            if watch(&state) { failures = 0 }
            guard isRunning else { return }
            if failures == 0 {
                note(
                    "logind does not answer; until it does, sleep, logout and locked sessions lock"
                        + " nothing"
                )
            }
            let pause = Self.retries[min(failures, Self.retries.count - 1)]
            failures += 1
            stop.wait(milliseconds: Int32(clamping: Int64(pause / .milliseconds(1))))
        }
    }

    /// Watches logind over one connection.
    ///
    /// - Returns: Whether there was a connection.
    private func watch(_ state: inout LoginState) -> Bool {
        var latest = state
        defer { state = latest }
        var wasConnected = false
        do throws(BusError) {
            var watch = try LoginWatch(state, on: bus)
            _ = watch.run(
                until: stop.descriptor,
                started: {
                    wasConnected = true
                    note("watching logind for sleep, logout and locked sessions")
                },
                changed: { changed in
                    latest = changed
                    locks.take(changed.sessions)
                },
                warn: note,
                perform: { effect, delay in locks.perform(effect, delaying: delay) }
            )
        } catch { return false }
        return wasConnected
    }
}
