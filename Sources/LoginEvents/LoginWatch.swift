import Glibc
import SystemBus

// Laws  (1) The descriptor that delays sleep is closed when both `endDelay` has come and whoever
//           performs the lock before sleep has let go of it.
//       (2) Events are handled in the order in which they arrived.

/// One connection to logind: turns its events into effects and has a body perform them.
///
/// The body runs on the thread that called `run`. Sleep waits for it, and for as long as somebody
/// keeps the delay that it was given.
package struct LoginWatch: ~Copyable {
    private let service: LoginService
    private var state: LoginState
    /// Delays the machine's sleep while it is open; nil if logind allows no delay.
    private var delay: SleepDelay?

    /// Connects; `state` is what an earlier connection left.
    package init(
        _ state: LoginState,
        on bus: SystemBus.Kind = .system
    ) throws(BusError) {
        service = try LoginService(bus)
        self.state = state
    }

    /// Why `run` returned.
    package enum End: Sendable, Equatable {
        /// The connection is gone.
        case lost
        /// The descriptor to stop at became readable.
        case stopped
    }

    /// Performs what follows from the present sessions, and then watches until the connection ends.
    ///
    /// - Parameters:
    ///   - stop: Watching ends when this descriptor is readable; -1 for never.
    ///   - started: Called once nothing can be missed any more.
    ///   - changed: Called with the state after every change of it.
    ///   - warn: Called with a sentence for people.
    ///   - perform: Called for everything but the delay of sleep, which is dealt with here; with
    ///     the delay, which may be kept until the keys are gone.
    /// - Returns: Why watching ended.
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
                try drain(changed, warn, perform)
                if try wait(for: stop) { return .stopped }
            }
        } catch { return .lost }
    }

    /// Handles what has arrived; a series of changes costs one look at the sessions.
    private mutating func drain(
        _ changed: (LoginState) -> Void,
        _ warn: (String) -> Void,
        _ perform: (LoginEffect, SleepDelay?) -> Void
    ) throws(BusError) {
        var isStale = false
        while true {
            let event = try service.next()
            if case .sessions? = event {
                isStale = true
                continue
            }
            guard event != nil || isStale else { return }
            // What came before the event counts first. While sessions are looked at, more events
            // arrive, which no descriptor tells of: they are looked for until there are none.
            if isStale { apply(.sessions(try service.sessions()), changed, warn, perform) }
            isStale = false
            if let event { try follow(event, changed, warn, perform) }
        }
    }

    private mutating func follow(
        _ event: LoginEvent,
        _ changed: (LoginState) -> Void,
        _ warn: (String) -> Void,
        _ perform: (LoginEffect, SleepDelay?) -> Void
    ) throws(BusError) {
        switch event {
        case .sessions: break
        case .sleep(let isAhead): apply(.sleep(isAhead: isAhead), changed, warn, perform)
        case .lock(let session):
            if !state.knows(session) {
                apply(.sessions(try service.sessions()), changed, warn, perform)
            }
            apply(.lock(session: session), changed, warn, perform)
        }
    }

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
            case .endDelay: delay = nil
            case .lock, .lockBeforeSleep, .awake, .loggedOut, .screen: perform(effect, delay)
            }
        }
    }

    private mutating func delaySleep(_ warn: (String) -> Void) {
        if delay == nil { delay = (try? service.delaySleep()).map { SleepDelay($0) } }
        guard delay == nil else { return }
        warn("logind allows no delay; the machine may sleep before the keychain locks")
    }

    /// Waits for the bus.
    ///
    /// - Returns: Whether watching has to stop.
    private func wait(for stop: Int32) throws(BusError) -> Bool {
        var requests = [
            pollfd(fd: service.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&requests, 2, -1) < 0 {
            guard errno == EINTR else { throw BusError(name: nil) }
        }
        return requests[1].revents != 0
    }
}

/// Delays the machine's sleep as long as somebody has it; logind itself waits five seconds at most
/// (`InhibitDelayMaxSec=`).
package final class SleepDelay: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
