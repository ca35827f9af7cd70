import CProcess
import CSystemd
import Glibc

// logind-mock: a systemd-logind for tests, on the bus at DBUS_SYSTEM_BUS_ADDRESS. It reads commands
// from standard input and answers each with `done`: `begin ID UID CLASS` and `end ID` for sessions,
// `lock ID`, `unlock ID`, `hint ID on|off` for a session's LockedHint, `front ID on|off` for
// whether it is active, `sleep`, which waits until no process delays it any more, `wake`, and
// `answers on|off` for whether calls get a reply. It writes `ready` once it has its name.

struct Session {
    let user: UInt32
    let kind: String
    var isLocked = false
    var isActive = true
}

enum Mock {
    static let root = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let text = CChar(UInt8(ascii: "s"))
    static let path = CChar(UInt8(ascii: "o"))
    static let number = CChar(UInt8(ascii: "u"))
    static let record = CChar(UInt8(ascii: "r"))

    /// Answers a call by its member.
    static func handle(_ call: OpaquePointer) -> Int32 {
        if !answersCalls { return 1 }
        switch sd_bus_message_get_member(call).map({ String(cString: $0) }) {
        case "ListSessions"?: return reply(call, listSessions)
        case "Inhibit"?: return reply(call, inhibit)
        case "Get"?:
            guard let (session, name) = asked(call) else { return -ENOENT }
            return reply(call) { property(name, of: session, in: $0) }
        default: return 0
        }
    }

    private static func reply(_ call: OpaquePointer, _ fill: (OpaquePointer) -> Int32) -> Int32 {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        guard sd_bus_message_new_method_return(call, &message) >= 0, let message,
            fill(message) >= 0
        else { return -EIO }
        return sd_bus_send(nil, message, nil) < 0 ? -EIO : 1
    }

    private static func listSessions(_ message: OpaquePointer) -> Int32 {
        sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "(susso)")
        for (id, session) in sessions {
            var user = session.user
            sd_bus_message_open_container(message, record, "susso")
            sd_bus_message_append_basic(message, text, id)
            sd_bus_message_append_basic(message, number, &user)
            sd_bus_message_append_basic(message, text, "somebody")
            sd_bus_message_append_basic(message, text, "seat0")
            sd_bus_message_append_basic(message, path, root + "/session/" + id)
            sd_bus_message_close_container(message)
        }
        return sd_bus_message_close_container(message)
    }

    /// Keeps the reading end, which shows when all copies of the other end are closed.
    private static func inhibit(_ message: OpaquePointer) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard process_pipe(&ends) == 0 else { return -EIO }
        defer { close(ends[1]) }
        delays.append(ends[0])
        return sd_bus_message_append_basic(message, CChar(UInt8(ascii: "h")), &ends[1])
    }

    private static func asked(_ call: OpaquePointer) -> (session: Session, name: String)? {
        var interface: UnsafePointer<CChar>?
        var name: UnsafePointer<CChar>?
        guard let origin = sd_bus_message_get_path(call),
            sd_bus_message_read_basic(call, text, &interface) > 0,
            sd_bus_message_read_basic(call, text, &name) > 0, let name,
            let id = String(cString: origin).split(separator: "/").last,
            let session = sessions[String(id)]
        else { return nil }
        return (session, String(cString: name))
    }

    private static func property(
        _ name: String,
        of session: Session,
        in message: OpaquePointer
    ) -> Int32 {
        let variant = CChar(UInt8(ascii: "v"))
        if name == "LockedHint" || name == "Active" {
            var flag: Int32 = (name == "Active" ? session.isActive : session.isLocked) ? 1 : 0
            sd_bus_message_open_container(message, variant, "b")
            sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &flag)
            return sd_bus_message_close_container(message)
        }
        guard name == "User" else {
            sd_bus_message_open_container(message, variant, "s")
            let value = name == "Class" ? session.kind : "active"
            sd_bus_message_append_basic(message, text, value)
            return sd_bus_message_close_container(message)
        }
        var user = session.user
        sd_bus_message_open_container(message, variant, "(uo)")
        sd_bus_message_open_container(message, record, "uo")
        sd_bus_message_append_basic(message, number, &user)
        sd_bus_message_append_basic(message, path, root + "/user/_\(user)")
        sd_bus_message_close_container(message)
        return sd_bus_message_close_container(message)
    }

    /// Sends a signal, whose content the body appends.
    static func signal(
        _ origin: String,
        _ interface: String,
        _ name: String,
        _ fill: (OpaquePointer) -> Int32
    ) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        guard let bus = connection,
            sd_bus_message_new_signal(bus, &message, origin, interface, name) >= 0,
            let message, fill(message) >= 0, sd_bus_send(bus, message, nil) >= 0
        else { exit(1) }
    }

    static func signal(session id: String, _ name: String) {
        signal(root, manager, name) { message in
            sd_bus_message_append_basic(message, text, id)
            return sd_bus_message_append_basic(message, path, root + "/session/" + id)
        }
    }

    /// Signals that a property of a session changed; clients read the new value themselves.
    static func signal(changed id: String) {
        let properties = "org.freedesktop.DBus.Properties"
        signal(root + "/session/" + id, properties, "PropertiesChanged") { message in
            sd_bus_message_append_basic(message, text, "org.freedesktop.login1.Session")
            sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}")
            sd_bus_message_close_container(message)
            sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "s")
            return sd_bus_message_close_container(message)
        }
    }

    static func signal(sleepIsAhead: Bool) {
        var flag: Int32 = sleepIsAhead ? 1 : 0
        signal(root, manager, "PrepareForSleep") { message in
            sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &flag)
        }
    }
}

/// The commands of a test.
enum Script {
    static func perform(_ words: [String]) {
        switch (words.first, words.count) {
        case ("begin"?, 4):
            sessions[words[1]] = Session(user: UInt32(words[2]) ?? 0, kind: words[3])
            Mock.signal(session: words[1], "SessionNew")
        case ("end"?, 2):
            sessions[words[1]] = nil
            Mock.signal(session: words[1], "SessionRemoved")
        case ("lock"?, 2), ("unlock"?, 2):
            let path = Mock.root + "/session/" + words[1]
            let name = words[0] == "lock" ? "Lock" : "Unlock"
            Mock.signal(path, "org.freedesktop.login1.Session", name) { _ in 0 }
        case ("hint"?, 3):
            sessions[words[1]]?.isLocked = words[2] == "on"
            Mock.signal(changed: words[1])
        case ("front"?, 3):
            sessions[words[1]]?.isActive = words[2] == "on"
            Mock.signal(changed: words[1])
        case ("answers"?, 2): answersCalls = words[1] == "on"
        case ("sleep"?, 1):
            Mock.signal(sleepIsAhead: true)
            for delay in delays { waitForEnd(of: delay) }
            delays = []
        case ("wake"?, 1):
            Mock.signal(sleepIsAhead: false)
            answer()
            while delays.isEmpty {
                wait(for: -1)
                answer()
            }
        default: exit(2)
        }
    }

    private static func waitForEnd(of delay: Int32) {
        var byte: UInt8 = 0
        answer()
        while !isReadable(delay) {
            wait(for: delay)
            answer()
        }
        guard read(delay, &byte, 1) == 0 else { exit(1) }
        close(delay)
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }
}

/// Answers the calls that have arrived.
func answer() {
    while true {
        let progress = sd_bus_process(connection, nil)
        guard progress >= 0 else { exit(1) }
        if progress == 0 { break }
    }
    guard sd_bus_flush(connection) >= 0 else { exit(1) }
}

/// Waits for more calls, or for the descriptor.
func wait(for descriptor: Int32) {
    var requests = [
        pollfd(fd: sd_bus_get_fd(connection), events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&requests, 2, -1) < 0 { guard errno == EINTR else { exit(1) } }
}

/// The bus of the process, on which `handle` sends.
nonisolated(unsafe) var connection: OpaquePointer?
nonisolated(unsafe) var sessions: [String: Session] = [:]
nonisolated(unsafe) var answersCalls = true
/// The reading ends of the processes that delay a sleep.
nonisolated(unsafe) var delays: [Int32] = []

guard sd_bus_open_system(&connection) >= 0, let bus = connection,
    sd_bus_add_fallback(
        bus,
        nil,
        Mock.root,
        { call, _, _ in call.map(Mock.handle) ?? 0 },
        nil
    ) >= 0,
    sd_bus_request_name(bus, "org.freedesktop.login1", 0) >= 0
else { exit(1) }
puts("ready")
fflush(nil)
var buffer = [UInt8](repeating: 0, count: 1000)
while true {
    answer()
    wait(for: STDIN_FILENO)
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { continue }
    // Handles one command at a time, because the test waits for the answer.
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else { exit(0) }
    let line = String(decoding: buffer[..<count], as: UTF8.self)
    Script.perform(line.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
    guard sd_bus_flush(bus) >= 0 else { exit(1) }
    puts("done")
    fflush(nil)
}
