import Glibc
import SystemBus

// Laws  (1) The descriptor that delays sleep is closed after `endDelay`, and after the work before
//           sleep has released it.
//       (2) Locks and sleeps are handled in the order in which they arrived. Neither waits for an
//           answer of logind, except a lock of an unknown session, which locks without an answer,
//           too.
//       (3) After messages of other programs the sessions are listed again, because the bus may
//           have dropped signals.

/// One connection to logind, which converts events to actions and has a body perform them.
///
/// The body runs on the thread that called `run`. Sleep waits for the body, and for the release of
/// the delay that it received.
package struct LoginWatch: ~Copyable {
    /// The number of messages after which it looks at other things.
    private static let batch = 64
    /// The pause before the sessions are listed again, after a failure or a flood of messages.
    private static let pause = Duration.seconds(2)

    private var service: LoginService
    private var state: LoginState
    /// The delay of the machine's sleep while it is open; nil if logind permits none.
    private var delay: SleepDelay?
    /// Whether sessions changed since they were listed.
    private var isStale = false
    /// Whether the user was told that other programs send messages.
    private var hasWarned = false
    /// The time before which the sessions are not listed again.
    private var nextLook = ContinuousClock.now

    /// Connects; `state` is that of an earlier connection.
    package init(
        _ state: LoginState,
        on bus: SystemBus.Kind = .system
    ) throws(BusError) {
        service = try LoginService(bus)
        self.state = state
    }

    /// The reason why `run` returned.
    package enum End: Sendable, Equatable {
        /// The connection has ended.
        case lost
        /// The descriptor that stops the watch became readable.
        case stopped
    }

    /// Performs the actions for the current sessions, and then watches until the connection ends.
    ///
    /// - Parameters:
    ///   - stop: The descriptor that ends the watch when it is readable; -1 for none.
    ///   - started: Called when no further event can be missed.
    ///   - changed: Called with the state after every change.
    ///   - warn: Called with a sentence for the user.
    ///   - perform: Called for every action except the delay of sleep, which is handled here. The
    ///     delay may be kept until the keys are gone.
    /// - Returns: The reason why the watch ended.
    package mutating func run(
        until stop: Int32 = -1,
        started: () -> Void,
        changed: (LoginState) -> Void = { _ in },
        warn: (String) -> Void,
        perform: (LoginEffect, SleepDelay?) -> Void
    ) -> End {
        do throws(BusError) {
            let sessions = try service.sessions()
            apply(.connected(sessions), changed, warn, perform)
            started()
            while true {
                let isIdle = try drain(changed, warn, perform)
                settle(changed, warn, perform)
                if try wait(for: stop, isIdle: isIdle) { return .stopped }
            }
        } catch { return .lost }
    }

    /// Handles events that have arrived.
    ///
    /// - Returns: Whether there are no more.
    private mutating func drain(
        _ changed: (LoginState) -> Void,
        _ warn: (String) -> Void,
        _ perform: (LoginEffect, SleepDelay?) -> Void
    ) throws(BusError) -> Bool {
        for _ in 0..<Self.batch {
            switch try service.next() {
            case .nothing: return true
            case .other: break
            case .event(.sessions): isStale = true
            case .event(.sleep(let isAhead)):
                apply(.sleep(isAhead: isAhead), changed, warn, perform)
            case .event(.lock(let session)):
                lock(session, changed, warn, perform)
            }
        }
        return false
    }

    private mutating func lock(
        _ session: String,
        _ changed: (LoginState) -> Void,
        _ warn: (String) -> Void,
        _ perform: (LoginEffect, SleepDelay?) -> Void
    ) {
        if state.knows(session) {
            return apply(.lock(session: session), changed, warn, perform)
        }
        do throws(BusError) {
            apply(.sessions(try service.sessions()), changed, warn, perform)
            isStale = false
            apply(.lock(session: session), changed, warn, perform)
        } catch {
            isStale = true
            apply(.lockOfSomebody, changed, warn, perform)
        }
    }

    /// Lists the sessions if they changed, or if signals may be missing.
    ///
    /// If that fails, it is tried again later; locks and sleeps come first.
    private mutating func settle(
        _ changed: (LoginState) -> Void,
        _ warn: (String) -> Void,
        _ perform: (LoginEffect, SleepDelay?) -> Void
    ) {
        guard needsLook, ContinuousClock.now >= nextLook else { return }
        let mayHaveMissed = service.mayHaveMissed
        if mayHaveMissed, !hasWarned {
            hasWarned = true
            warn(
                "other programs on the bus send messages to this one; if they send many, the bus"
                    + " drops signals of logind, and the lock of a session may be missed"
            )
        }
        do throws(BusError) {
            let sessions = try service.sessions(endsAtEvents: true)
            isStale = false
            apply(.sessions(sessions), changed, warn, perform)
            guard mayHaveMissed else { return }
            let isSleepAhead = (try? service.isSleepAhead()) ?? false
            if isSleepAhead, delay != nil {
                apply(.sleep(isAhead: true), changed, warn, perform)
            } else if !isSleepAhead, delay == nil {
                delaySleep({ _ in })
            }
        } catch {
            isStale = true
            if service.hasKept { return }
        }
        nextLook = ContinuousClock.now + Self.pause
    }

    private var needsLook: Bool { isStale || service.mayHaveMissed }

    private mutating func apply(
        _ news: LoginNews,
        _ changed: (LoginState) -> Void,
        _ warn: (String) -> Void,
        _ perform: (LoginEffect, SleepDelay?) -> Void
    ) {
        let effects = state.handle(news)
        changed(state)
        for effect in effects {
            switch effect {
            case .delaySleep: delaySleep(warn)
            case .endDelay:
                // Changes before the sleep count, too, but only after its locks.
                if isStale { settle(changed, warn, perform) }
                delay = nil
            case .lock, .lockAll, .lockBeforeSleep, .awake, .loggedOut, .screen:
                perform(effect, delay)
            }
        }
    }

    private mutating func delaySleep(_ warn: (String) -> Void) {
        if delay == nil { delay = (try? service.delaySleep()).map { SleepDelay($0) } }
        guard delay == nil else { return }
        warn("logind allows no delay; the machine may sleep before the keychain locks")
    }

    /// Waits for the bus, unless messages are left.
    ///
    /// - Returns: Whether the watch has to stop.
    private func wait(for stop: Int32, isIdle: Bool) throws(BusError) -> Bool {
        var requests = [
            pollfd(fd: service.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&requests, 2, isIdle && !service.hasKept ? milliseconds : 0) < 0 {
            guard errno == EINTR else { throw BusError(name: nil) }
        }
        return requests[1].revents != 0
    }

    /// The longest wait for the bus; -1 for no limit.
    private var milliseconds: Int32 {
        guard needsLook else { return -1 }
        let rest = max(.zero, nextLook - ContinuousClock.now)
        return Int32(clamping: Int64(rest / .milliseconds(1)) + 1)
    }
}

/// A delay of the machine's sleep, which lasts as long as this object.
///
/// logind itself waits for at most five seconds (`InhibitDelayMaxSec=`).
package final class SleepDelay: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
