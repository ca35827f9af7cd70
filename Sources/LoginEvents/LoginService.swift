import SystemBus

// Laws  (1) An event is judged by what was learned before: nobody is asked who sent it.
//       (2) Messages of other programs are dropped by their sender, also during a call.
//       (3) A call ends in time, whatever else arrives.

/// A connection to systemd-logind or elogind.
///
/// - Source: org.freedesktop.login1(5).
package struct LoginService: ~Copyable {
    private static let name = "org.freedesktop.login1"
    private static let session = "org.freedesktop.login1.Session"
    /// The time limit of a call, which is shorter than logind's wait before sleep.
    private static let patience = Duration.seconds(3)
    /// The errors that mean that a session has ended.
    private static let endedErrors: Set = [
        "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
        "org.freedesktop.DBus.Error.UnknownInterface", "org.freedesktop.DBus.Error.FileNotFound",
        "org.freedesktop.login1.NoSuchSession",
    ]

    private let bus: SystemBus
    private let manager = BusMethod(
        service: name,
        path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager"
    )
    /// The unique name of logind; nil while there is none on the bus.
    private var owner: String?
    /// The events that arrived during a call.
    private var kept: [LoginEvent] = []
    /// Whether `next` returns an event even if nothing arrives.
    package var hasKept: Bool { !kept.isEmpty }
    /// Whether other programs sent messages since the sessions were listed.
    ///
    /// The bus drops signals for a program whose queue is full, so some may be missing.
    package private(set) var mayHaveMissed = false

    /// Connects, so that `next` returns the events.
    package init(_ kind: SystemBus.Kind = .system) throws(BusError) {
        let bus = try SystemBus(kind)
        try bus.enter(within: .seconds(10))
        // The owner is asked for after the change of owner is listened to, so none is missed.
        let changes = "type='signal',sender='\(ReceivedMessage.bus)',member='NameOwnerChanged'"
        try bus.listen(to: "\(changes),arg0='\(Self.name)'")
        try bus.listen(to: manager)
        let signal = "type='signal',sender='\(Self.name)'"
        try bus.listen(to: "\(signal),interface='\(Self.session)',member='Lock'")
        let properties = "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
        try bus.listen(to: "\(signal),\(properties),arg0='\(Self.session)'")
        let owner = try Self.owner(on: bus)
        self.owner = owner
        self.bus = bus
    }

    private static func owner(on bus: borrowing SystemBus) throws(BusError) -> String? {
        let method = BusMethod(
            service: ReceivedMessage.bus,
            path: "/org/freedesktop/DBus",
            interface: ReceivedMessage.bus
        ).method("GetNameOwner")
        do throws(BusError) { return try bus.call(method, [name]) { $0.text() } } catch {
            guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            return nil
        }
    }

    /// The descriptor to poll for the next event.
    package var descriptor: Int32 { bus.descriptor }

    /// The next message.
    package enum Arrival {
        /// No message has arrived.
        case nothing
        /// A message that is no event of logind, and was dropped.
        case other
        case event(LoginEvent)
    }

    /// Returns the next event that has arrived, without a question to anybody.
    ///
    /// Any program on the bus can send a signal, so events of other senders are dropped.
    package mutating func next() throws(BusError) -> Arrival {
        if !kept.isEmpty { return .event(kept.removeFirst()) }
        let owner = owner
        switch try bus.next({ ReceivedMessage($0, to: Self.name, owner: owner) }) {
        case .idle: return .nothing
        case .worked: return .other
        case .value(let received):
            keep(received)
            return kept.isEmpty ? .other : .event(kept.removeFirst())
        }
    }

    private mutating func keep(_ received: ReceivedMessage) {
        switch received {
        case .owner(let next):
            owner = next
            if next != nil { kept.append(.sessions) }
        case .event(let event): kept.append(event)
        case .foreign: mayHaveMissed = true
        }
    }

    /// Calls a method; events that arrive meanwhile are kept for `next`.
    ///
    /// - Throws: The error in the reply, or one without a name after the time limit, or when an
    ///   event arrives that `endsAtEvents` does not let wait.
    private mutating func call<R>(
        _ method: BusMethod,
        _ arguments: [String] = [],
        endsAtEvents: Bool = false,
        reading body: (BusMessage) -> R
    ) throws(BusError) -> R {
        let end = ContinuousClock.now + Self.patience
        let number = try bus.ask(method, arguments)
        while true {
            let owner = owner
            var reply: Result<R, BusError>?
            let progress = try bus.next { message -> ReceivedMessage? in
                guard message.answeredCall == number else {
                    return ReceivedMessage(message, to: Self.name, owner: owner)
                }
                reply = message.failure.map { .failure($0) } ?? .success(body(message))
                return nil
            }
            if let reply { return try reply.get() }
            if case .value(let received) = progress { keep(received) }
            let rest = end - ContinuousClock.now
            let isUrgent = endsAtEvents && kept.contains { $0 != .sessions }
            guard rest > .zero, !isUrgent else { throw BusError(name: nil) }
            if case .idle = progress { try bus.wait(atMost: rest) }
        }
    }

    /// Delays the machine's sleep, for at most a few seconds.
    ///
    /// - Returns: A descriptor; closing it ends the delay.
    package mutating func delaySleep() throws(BusError) -> Int32 {
        let arguments = ["sleep", "keychain", "The keychain locks before sleep", "delay"]
        let lock = try call(manager.method("Inhibit"), arguments) { $0.descriptor() }
        guard let lock else { throw BusError(name: nil) }
        return lock
    }

    /// Whether the machine is about to sleep, as logind answers it.
    package mutating func isSleepAhead() throws(BusError) -> Bool {
        let get = BusMethod(
            service: Self.name,
            path: manager.path,
            interface: "org.freedesktop.DBus.Properties"
        ).method("Get")
        let flag = { (value: BusMessage) in value.inside("v", "b") { value.flag() } }
        return try call(get, [manager.interface, "PreparingForSleep"], reading: flag) ?? false
    }

    /// Returns the sessions, without those that end meanwhile.
    ///
    /// - Parameter endsAtEvents: Whether it gives up for a lock or a sleep that arrives meanwhile.
    /// - Returns: The sessions of all accounts.
    /// - Throws: `BusError` if an answer is missing, or after it gave up.
    package mutating func sessions(
        endsAtEvents: Bool = false
    ) throws(BusError) -> [LoginSession] {
        mayHaveMissed = false
        let list = manager.method("ListSessions")
        let listed = try call(list, endsAtEvents: endsAtEvents) { reply in
            reply.inside("a", "(susso)") { Self.sessions(in: reply) }
        }
        guard let listed else { throw BusError(name: nil) }
        var sessions: [LoginSession] = []
        for session in listed {
            do throws(BusError) { sessions.append(try described(session, endsAtEvents)) } catch {
                // Without an answer, the session counts as neither ended nor known.
                guard let name = error.name, Self.endedErrors.contains(name) else { throw error }
            }
        }
        return sessions
    }

    private static func sessions(in reply: BusMessage) -> [LoginSession] {
        var sessions: [LoginSession] = []
        let next = { () -> (id: String?, user: UInt32?, path: String?)? in
            reply.inside("r", "susso") {
                let id = reply.text()
                let user = reply.number()
                _ = (reply.text(), reply.text())
                return (id, user, reply.path())
            }
        }
        while let found = next() {
            guard let id = found.id, let user = found.user, let path = found.path else { continue }
            sessions.append(LoginSession(id: id, path: path, userID: user))
        }
        return sessions
    }

    private mutating func described(
        _ session: LoginSession,
        _ endsAtEvents: Bool
    ) throws(BusError) -> LoginSession {
        var session = session
        let text = { (value: BusMessage) in value.inside("v", "s") { value.text() } }
        let flag = { (value: BusMessage) in value.inside("v", "b") { value.flag() } }
        let kind = try property("Class", of: session, endsAtEvents, text)
        let state = try property("State", of: session, endsAtEvents, text)
        guard let kind, let state else { throw BusError(name: nil) }
        session.kind = kind
        session.state = state
        session.isActive = try property("Active", of: session, endsAtEvents, flag) ?? false
        session.isScreenLocked =
            try property("LockedHint", of: session, endsAtEvents, flag) ?? false
        return session
    }

    private mutating func property<R>(
        _ name: String,
        of session: LoginSession,
        _ endsAtEvents: Bool,
        _ body: (BusMessage) -> R?
    ) throws(BusError) -> R? {
        let get = BusMethod(
            service: Self.name,
            path: session.path,
            interface: "org.freedesktop.DBus.Properties"
        ).method("Get")
        return try call(get, [Self.session, name], endsAtEvents: endsAtEvents, reading: body)
    }
}
