import SystemBus

/// systemd-logind, as far as locks depend on it.
///
/// - Source: org.freedesktop.login1(5).
struct LoginService: ~Copyable {
    private static let name = "org.freedesktop.login1"
    private static let session = "org.freedesktop.login1.Session"
    /// Sessions in which nobody is logged in.
    private static let classesOfNobody = ["manager", "background", "greeter"]

    private let bus: SystemBus
    private let manager = BusMethod(
        service: name,
        path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager"
    )

    /// Connects, and has the events delivered by `next`.
    init() throws(BusError) {
        let bus = try SystemBus()
        try bus.listen(to: manager)
        let rule = "type='signal',sender='\(Self.name)',interface='\(Self.session)',member='Lock'"
        try bus.listen(to: rule)
        self.bus = bus
    }

    /// What is polled for the next event.
    var descriptor: Int32 { bus.descriptor }

    /// The next event that has arrived; nil when there is none.
    ///
    /// What does not come from logind is not heard: everybody on the bus can send a signal.
    borrowing func next() throws(BusError) -> LoginEvent? {
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

    /// Has the machine wait with its sleep, for a few seconds at most.
    ///
    /// - Returns: What ends the waiting once it is closed.
    borrowing func delaySleep() throws(BusError) -> Int32 {
        let arguments = ["sleep", "keychain", "The keychain locks before sleep", "delay"]
        let lock = try bus.call(manager.method("Inhibit"), arguments) { $0.descriptor() }
        guard let lock else { throw BusError(name: nil) }
        return lock
    }

    /// Whether a session is the user's.
    borrowing func isSession(_ path: String, of userID: UInt32) -> Bool {
        let owner = try? property("User", of: path) { value in
            value.inside("v", "(uo)") {
                value.inside("r", "uo") {
                    let user = value.number()
                    _ = value.path()
                    return user
                }
            }
        }
        return owner == userID
    }

    /// Whether the user is logged in: has a session that is not about to end.
    borrowing func isLoggedIn(_ userID: UInt32) throws(BusError) -> Bool {
        let list = manager.method("ListSessions")
        let paths = try bus.call(list) { reply in
            reply.inside("a", "(susso)") { Self.paths(in: reply, of: userID) }
        }
        for path in paths ?? [] where isUsed(path) { return true }
        return false
    }

    private static func paths(in reply: BusMessage, of userID: UInt32) -> [String] {
        var paths: [String] = []
        let next = { () -> (UInt32?, String?)? in
            reply.inside("r", "susso") {
                _ = reply.text()
                let user = reply.number()
                _ = (reply.text(), reply.text())
                return (user, reply.path())
            }
        }
        while let (user, path) = next() {
            if user == userID, let path { paths.append(path) }
        }
        return paths
    }

    /// Whether somebody is logged in there; a session that is gone by now has nobody.
    private borrowing func isUsed(_ path: String) -> Bool {
        let text = { (value: BusMessage) in value.inside("v", "s") { value.text() } }
        guard let kind = (try? property("Class", of: path, text)) ?? nil,
            let state = (try? property("State", of: path, text)) ?? nil
        else { return false }
        return state != "closing" && !Self.classesOfNobody.contains { kind.hasPrefix($0) }
    }

    private borrowing func property<R>(
        _ name: String,
        of path: String,
        _ body: (BusMessage) -> R?
    ) throws(BusError) -> R? {
        let get = BusMethod(
            service: Self.name,
            path: path,
            interface: "org.freedesktop.DBus.Properties"
        ).method("Get")
        return try bus.call(get, [Self.session, name], reading: body)
    }
}

/// What logind tells.
enum LoginEvent {
    /// The machine is about to sleep, or is awake again.
    case sleep(isAhead: Bool)
    /// A session of somebody's is to be locked.
    case lock(session: String)
    /// Sessions or users came or went.
    case logins
}

/// An event, and who says so.
private struct SentEvent {
    let sender: String
    let event: LoginEvent

    /// nil for any other message.
    init?(_ message: BusMessage) {
        guard let sender = message.sender else { return nil }
        switch (message.interface, message.member) {
        case ("org.freedesktop.login1.Manager"?, "PrepareForSleep"?):
            guard let isAhead = message.flag() else { return nil }
            event = .sleep(isAhead: isAhead)
        case ("org.freedesktop.login1.Session"?, "Lock"?):
            guard let session = message.origin else { return nil }
            event = .lock(session: session)
        case ("org.freedesktop.login1.Manager"?, "SessionNew"?),
            ("org.freedesktop.login1.Manager"?, "SessionRemoved"?),
            ("org.freedesktop.login1.Manager"?, "UserRemoved"?):
            event = .logins
        default: return nil
        }
        self.sender = sender
    }
}
