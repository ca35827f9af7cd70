import Glibc
import SystemBus

// Laws  (1) The descriptor that delays sleep is closed after `endDelay`, and after the work before
//           sleep has released it.
//       (2) Events are handled in the order in which they arrived.

/// One connection to logind, which converts events to actions and has a body perform them.
///
/// The body runs on the thread that called `run`. Sleep waits for the body, and for the release of
/// the delay that it received.
package struct LoginWatch: ~Copyable {
    private let service: LoginService
    private var state: LoginState
    /// The delay of the machine's sleep while it is open; nil if logind permits none.
    private var delay: SleepDelay?

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
                try drain(changed, warn, perform)
                if try wait(for: stop) { return .stopped }
            }
        } catch { return .lost }
    }

    /// Handles the events that have arrived; a series of changes lists the sessions only once.
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
            // Changes before the event count first. More events arrive while the sessions are
            // listed. The descriptor does not report them, so the loop continues until there are
            // none.
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
    /// - Returns: Whether the watch has to stop.
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

/// A delay of the machine's sleep, which lasts as long as this object.
///
/// logind itself waits for at most five seconds (`InhibitDelayMaxSec=`).
package final class SleepDelay: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
