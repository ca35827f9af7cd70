import DataProtection
import Foundation
import Glibc
import KeychainModel
import SystemBus
import TestSupport
import Testing

/// Serialized: each test has a message bus and a login service.
@Suite(.serialized, .requirement("DMN-10"), .requirement("HRD-05"))
struct `A daemon whose questions logind does not answer` {
    @Test func `locks for a session that it knows`() throws {
        let daemon = try LoginDaemon(LockSettings())
        // Without an answer, it cannot know what changed, and does not have to.
        try daemon.happen("answers off", "hint 1 on", "lock 1")
        daemon.reasons.wait(for: "1000: a session was locked")
        #expect(try daemon.state == .locked)
    }

    @Test func `locks for a session of which nobody says whose it is`() throws {
        let daemon = try LoginDaemon(LockSettings())
        try daemon.happen("answers off", "begin 2 1001 user", "lock 2")
        daemon.reasons.wait(for: "1000: a session was locked, and logind does not say whose")
        #expect(try daemon.state == .locked)
    }

    @Test func `locks before sleep`() throws {
        let daemon = try LoginDaemon(LockSettings(onSleep: true))
        try daemon.happen("answers off", "hint 1 on", "sleep")
        #expect(try daemon.state == .locked)
    }

    @Test func `sees a locked screen as soon as there is an answer`() throws {
        let daemon = try LoginDaemon(LockSettings())
        try daemon.happen("answers off", "hint 1 on", "front 1 off", "answers on")
        daemon.reasons.wait(for: "1000: a session was locked")
        #expect(try daemon.state == .locked)
    }
}

/// Serialized: each test has a message bus and a login service.
@Suite(.serialized, .requirement("DMN-10")) struct `Signals of other programs on the bus` {
    private static let session = BusMethod(
        service: "",
        path: "/org/freedesktop/login1/session/1",
        interface: "org.freedesktop.login1.Session"
    )

    private static func send(
        _ member: String,
        on bus: borrowing SystemBus,
        to receiver: String? = nil
    ) throws(BusError) {
        let signal = session.method(member)
        try bus.emit(signal, to: receiver) { message throws(BusError) in
            try message.text(String(repeating: "x", count: 1 << 16))
        }
    }

    @Test func `lock nothing`() throws {
        let daemon = try LoginDaemon(LockSettings())
        let stranger = try SystemBus(.at(daemon.bus.address))
        try Self.send("Lock", on: stranger)
        // The reply shows that the bus has passed the signal on.
        #expect(try stranger.take(name: "org.example.Stranger", replacing: false))
        try daemon.happen("sleep")
        #expect(try daemon.state == .unlocked)
    }

    /// The rules that the package installs, for the account of this test.
    private static func policy() throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../../Packaging/dbus-1/system.d/keychaind.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rules = try #require(text.firstMatch(of: /<policy user="keychain">[\s\S]*<\/policy>/))
        return String(rules.output)
            .replacing("user=\"keychain\"", with: "user=\"\(geteuid())\"")
    }

    @Test(arguments: [false, true])
    func `reach the daemon's account only without the rules of the package`(
        hasRules: Bool
    ) throws {
        let bus = try MessageBus("rules", policy: hasRules ? Self.policy() : "")
        let logind = try bus.start(MessageBus.product("logind-mock"))
        let receiver = try SystemBus(.at(bus.address))
        #expect(try receiver.take(name: "org.example.Receiver", replacing: false))
        try receiver.listen(to: "type='signal',interface='org.freedesktop.login1.Session'")
        let stranger = try SystemBus(.at(bus.address))
        try Self.send("Flood", on: stranger, to: "org.example.Receiver")
        #expect(try stranger.take(name: "org.example.Stranger", replacing: false))
        try logind.write("lock 1\n")
        let members = try Self.members(through: "Lock", on: receiver)
        #expect(members.contains("Flood") == !hasRules)
    }

    /// The members of the messages that arrive, after those found, through the last one.
    private static func members(
        through last: String,
        on bus: borrowing SystemBus,
        after found: [String] = []
    ) throws(BusError) -> [String] {
        if found.last == last { return found }
        var next = found
        switch try bus.next({ $0.member }) {
        case .idle: try bus.wait(atMost: .seconds(60))
        case .worked: break
        case .value(let member): next.append(member)
        }
        return try members(through: last, on: bus, after: next)
    }
}
