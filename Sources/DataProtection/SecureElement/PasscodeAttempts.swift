/// The attempt counter: how many passcodes in a row were wrong, and the delay that runs.
package struct PasscodeAttempts: Sendable, Equatable {
    /// Wrong passcodes since the last right one; it stops at its largest value.
    package let failures: UInt32

    /// When the running delay started; `nil` when there is none to wait for.
    package let delayStartedAt: DeviceInstant?

    /// No failures.
    package static let none = PasscodeAttempts(failures: 0, delayStartedAt: nil)

    /// States a counter.
    package init(failures: UInt32, delayStartedAt: DeviceInstant?) {
        self.failures = failures
        self.delayStartedAt = delayStartedAt
    }

    /// The counter after one more attempt, counted as failed from this moment on.
    func countingAttempt(at now: DeviceInstant) -> PasscodeAttempts {
        let next = failures == .max ? failures : failures + 1
        let isDelayed = PasscodePolicy.delay(afterFailures: next) > .zero
        return PasscodeAttempts(failures: next, delayStartedAt: isDelayed ? now : nil)
    }

    /// What is left to wait before the next attempt; the whole delay after a reboot.
    package func delayRemaining(at now: DeviceInstant) -> Duration {
        let delay = PasscodePolicy.delay(afterFailures: failures)
        let elapsed = delayStartedAt.flatMap { now.elapsed(since: $0) } ?? .zero
        return max(.zero, delay - elapsed)
    }

    /// The counter whose delay starts over now, or `nil` if its delay runs on or there is none.
    ///
    /// - Source: Apple Platform Security: after a restart "the delay is still enforced, with the
    ///   timer starting over".
    func startingDelayOver(at now: DeviceInstant) -> PasscodeAttempts? {
        guard PasscodePolicy.delay(afterFailures: failures) > .zero else { return nil }
        guard delayStartedAt.flatMap({ now.elapsed(since: $0) }) == nil else { return nil }
        return PasscodeAttempts(failures: failures, delayStartedAt: now)
    }
}
