import SystemBus

/// An event that logind reports.
package enum LoginEvent: Sendable, Equatable {
    /// The machine is about to sleep, or is awake again.
    case sleep(isAhead: Bool)
    /// A session has to be locked; the value is the path of its object.
    case lock(session: String)
    /// Sessions began, ended or changed, or another logind began.
    case sessions

    /// Converts a message of logind; nil for any other message.
    init?(_ message: BusMessage) {
        switch (message.interface, message.member) {
        case ("org.freedesktop.login1.Manager"?, "PrepareForSleep"?):
            guard let isAhead = message.flag() else { return nil }
            self = .sleep(isAhead: isAhead)
        case ("org.freedesktop.login1.Session"?, "Lock"?):
            guard let session = message.origin else { return nil }
            self = .lock(session: session)
        case ("org.freedesktop.login1.Manager"?, "SessionNew"?),
            ("org.freedesktop.login1.Manager"?, "SessionRemoved"?),
            ("org.freedesktop.login1.Manager"?, "UserRemoved"?),
            ("org.freedesktop.DBus.Properties"?, "PropertiesChanged"?):
            self = .sessions
        default: return nil
        }
    }
}

/// A message that arrived, sorted by its sender.
enum ReceivedMessage {
    /// The owner of logind's name changed; nil if nobody has it now.
    case owner(String?)
    case event(LoginEvent)
    /// Another program on the bus sent it. Nothing of it was read but the sender.
    case foreign

    /// The sender of the bus's own messages, which no program can have.
    static let bus = "org.freedesktop.DBus"

    /// Sorts a message; nil if it does not matter.
    init?(_ message: BusMessage, to name: String, owner: String?) {
        guard let sender = message.sender else { return nil }
        if sender == Self.bus {
            guard message.interface == Self.bus, message.member == "NameOwnerChanged",
                message.text() == name, message.text() != nil, let next = message.text()
            else { return nil }
            self = .owner(next.isEmpty ? nil : next)
            return
        }
        guard sender == owner else {
            self = .foreign
            return
        }
        guard let event = LoginEvent(message) else { return nil }
        self = .event(event)
    }
}
