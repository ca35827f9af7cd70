import SystemBus

/// An event that logind reports.
package enum LoginEvent: Sendable, Equatable {
    /// The machine is about to sleep, or is awake again.
    case sleep(isAhead: Bool)
    /// A session has to be locked; the value is the path of its object.
    case lock(session: String)
    /// Sessions began, ended or changed.
    case sessions
}

/// An event with its sender.
struct SentEvent {
    let sender: String
    let event: LoginEvent

    /// Converts a message; nil for any other message.
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
            ("org.freedesktop.login1.Manager"?, "UserRemoved"?),
            ("org.freedesktop.DBus.Properties"?, "PropertiesChanged"?):
            event = .sessions
        default: return nil
        }
        self.sender = sender
    }
}
