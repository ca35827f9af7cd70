import SystemBus

/// A connection to systemd-logind or elogind.
///
/// - Source: org.freedesktop.login1(5).
package struct LoginService: ~Copyable {
    private static let name = "org.freedesktop.login1"
    private static let session = "org.freedesktop.login1.Session"

    private let bus: SystemBus
    private let manager = BusMethod(
        service: name,
        path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager"
    )

    /// Connects, so that `next` returns the events.
    package init(_ kind: SystemBus.Kind = .system) throws(BusError) {
        let bus = try SystemBus(kind)
        try bus.listen(to: manager)
        let signal = "type='signal',sender='\(Self.name)'"
        try bus.listen(to: "\(signal),interface='\(Self.session)',member='Lock'")
        let properties = "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
        try bus.listen(to: "\(signal),\(properties),arg0='\(Self.session)'")
        self.bus = bus
    }

    /// The descriptor to poll for the next event.
    package var descriptor: Int32 { bus.descriptor }

    /// Returns the next event that has arrived; nil if there is none.
    ///
    /// Any program on the bus can send a signal, so events of other senders are ignored.
    package borrowing func next() throws(BusError) -> LoginEvent? {
        while true {
            switch try bus.next(SentEvent.init) {
            case .idle: return nil
            case .worked: continue
            case .value(let sent):
                if let owner = try? owner(), owner == sent.sender { return sent.event }
            }
        }
    }

    private borrowing func owner() throws(BusError) -> String? {
        let method = BusMethod(
            service: "org.freedesktop.DBus",
            path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus"
        ).method("GetNameOwner")
        return try bus.call(method, [Self.name]) { $0.text() }
    }

    /// Delays the machine's sleep, for at most a few seconds.
    ///
    /// - Returns: A descriptor; closing it ends the delay.
    package borrowing func delaySleep() throws(BusError) -> Int32 {
        let arguments = ["sleep", "keychain", "The keychain locks before sleep", "delay"]
        let lock = try bus.call(manager.method("Inhibit"), arguments) { $0.descriptor() }
        guard let lock else { throw BusError(name: nil) }
        return lock
    }

    /// Returns the sessions, without those that end meanwhile.
    package borrowing func sessions() throws(BusError) -> [LoginSession] {
        let listed = try bus.call(manager.method("ListSessions")) { reply in
            reply.inside("a", "(susso)") { Self.sessions(in: reply) }
        }
        return (listed ?? []).compactMap { described($0) }
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

    private borrowing func described(_ session: LoginSession) -> LoginSession? {
        var session = session
        let text = { (value: BusMessage) in value.inside("v", "s") { value.text() } }
        let flag = { (value: BusMessage) in value.inside("v", "b") { value.flag() } }
        guard let kind = property("Class", of: session, text),
            let state = property("State", of: session, text)
        else { return nil }
        session.kind = kind
        session.state = state
        session.isActive = property("Active", of: session, flag) ?? false
        session.isScreenLocked = property("LockedHint", of: session, flag) ?? false
        return session
    }

    private borrowing func property<R>(
        _ name: String,
        of session: LoginSession,
        _ body: (BusMessage) -> R?
    ) -> R? {
        let get = BusMethod(
            service: Self.name,
            path: session.path,
            interface: "org.freedesktop.DBus.Properties"
        ).method("Get")
        return (try? bus.call(get, [Self.session, name], reading: body)) ?? nil
    }
}
