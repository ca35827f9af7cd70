/// The attempt counter: the number of wrong passcodes in a row, and the running delay.
package struct PasscodeAttempts: Sendable, Equatable {
    /// The number of wrong passcodes since the last right one; saturates at its largest value.
    package let failures: UInt32

    /// The start of the running delay; `nil` if there is none.
    package let delayStartedAt: DeviceInstant?

    /// No failures.
    package static let none = PasscodeAttempts(failures: 0, delayStartedAt: nil)

    /// Creates a counter.
    package init(failures: UInt32, delayStartedAt: DeviceInstant?) {
        self.failures = failures
        self.delayStartedAt = delayStartedAt
    }

    /// Returns the counter after one more attempt, which counts as failed from this moment on.
    func countingAttempt(at now: DeviceInstant) -> PasscodeAttempts {
        let next = failures == .max ? failures : failures + 1
        let isDelayed = PasscodePolicy.delay(afterFailures: next) > .zero
        return PasscodeAttempts(failures: next, delayStartedAt: isDelayed ? now : nil)
    }

    /// Returns the time to wait before the next attempt; the whole delay after a reboot.
    package func delayRemaining(at now: DeviceInstant) -> Duration {
        let delay = PasscodePolicy.delay(afterFailures: failures)
        let elapsed = delayStartedAt.flatMap { now.elapsed(since: $0) } ?? .zero
        return max(.zero, delay - elapsed)
    }

    /// Returns the counter with its delay restarted now; `nil` if no restart is needed.
    ///
    /// - Source: Apple Platform Security: after a restart "the delay is still enforced, with the
    ///   timer starting over".
    func startingDelayOver(at now: DeviceInstant) -> PasscodeAttempts? {
        guard PasscodePolicy.delay(afterFailures: failures) > .zero else { return nil }
        guard delayStartedAt.flatMap({ now.elapsed(since: $0) }) == nil else { return nil }
        return PasscodeAttempts(failures: failures, delayStartedAt: now)
    }
}
