import Glibc
import KeychainMessages
import KeychainServer
import KeychainWire
import MessageTransport
import Synchronization
import TestSupport
import Testing

@Suite(.requirement("DMN-17")) struct `The number of connections` {
    @Test func `of an account is limited while all of them work, which is told`() throws {
        var limits = ServerLimits()
        limits.connectionsPerPerson = 3
        let rig = try ServerRig(limits: limits)
        let clients = [try rig.client(), try rig.client(), try rig.client()]
        for client in clients {
            try client.send(.request(.waiting))
            rig.service.entered.wait()
        }
        #expect(try rig.raw().end()?.says("3 connections to the daemon") == true)
        clients.forEach { _ in rig.service.gate.signal() }
        for client in clients { _ = try client.receive() }
        #expect(throws: Never.self) { try rig.client() }
    }

    private static func isServed(_ client: ClientConnection) -> Bool {
        (try? client.send(.request(.atOnce))) != nil && (try? client.receive()) != nil
    }

    @Test(.requirement("HRD-05"))
    func `of an account that do nothing keeps no program of it away`() throws {
        let rig = try ServerRig()
        let clients = try (0..<64).map { _ in try rig.client() }
        let other = try rig.client()
        // One that was idle has gone, and the others are served.
        #expect(Self.isServed(other))
        #expect(clients.count(where: Self.isServed) == 63)
        #expect(rig.server.connectionCount == 64)
    }

    @Test(.requirement("HRD-05"))
    func `of an account that work keeps no program from greeting and locking`() throws {
        var limits = ServerLimits()
        limits.callsPerPerson = 1
        let rig = try ServerRig(limits: limits)
        let busy = try rig.client()
        try busy.send(.request(.waiting))
        rig.service.entered.wait()
        defer { rig.service.gate.signal() }
        let other = try rig.client()
        try other.send(.request(.atOnce))
        guard case .reply = try other.receive() else {
            Issue.record("no reply")
            return
        }
    }

    @Test func `of all accounts is limited`() throws {
        var limits = ServerLimits()
        limits.connections = 3
        let rig = try ServerRig(limits: limits)
        let clients = [try rig.client(), try rig.client(), try rig.client()]
        #expect(try rig.raw().end()?.says("3 connections, which is the limit") == true)
        #expect(rig.server.connectionCount == clients.count)
    }

    /// The connections of a person, and then those of others, to a server that has three.
    private static func rig(_ persons: [UInt32]) throws -> ServerRig {
        var limits = ServerLimits()
        limits.connections = 3
        let next = Mutex(persons)
        return try ServerRig(limits: limits, person: { _ in next.withLock { $0.removeFirst() } })
    }

    @Test(.requirement("HRD-07"))
    func `is taken from whoever has the most, where all are taken`() throws {
        let rig = try Self.rig([1, 1, 1, 2, 2])
        let clients = [try rig.client(), try rig.client(), try rig.client()]
        let other = try rig.client()
        // One that was idle has gone, and the others are served.
        #expect(Self.isServed(other))
        #expect(clients.count(where: Self.isServed) == 2)
        // Two and one: nobody has enough to give one away.
        #expect(try rig.raw().end()?.says("3 connections, which is the limit") == true)
    }

    @Test(.requirement("HRD-07"))
    func `is taken from a call only for whoever has less than everybody gets`() throws {
        let rig = try Self.rig([1, 1, 1, 2])
        let clients = [try rig.client(), try rig.client(), try rig.client()]
        try clients.forEach { client in
            try client.send(.request(.waiting))
            rig.service.entered.wait()
        }
        #expect(throws: Never.self) { try rig.client() }
        clients.forEach { _ in rig.service.gate.signal() }
    }

    @Test func `may be asked for again and again in a storm`() throws {
        let rig = try ServerRig()
        for _ in 0..<1100 { _ = try? rig.raw() }
        let last = try rig.client()
        try last.send(.request(.atOnce))
        guard case .reply = try last.receive() else {
            Issue.record("no reply")
            return
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `rests once nothing was sent for a while, and serves on`() throws {
        var limits = ServerLimits()
        limits.restMilliseconds = 5
        let rig = try ServerRig(limits: limits)
        let client = try rig.client()
        try client.send(.request(.atOnce))
        _ = try client.receive()
        rig.service.rested.wait()
        try client.send(.request(.atOnce))
        guard case .reply = try client.receive() else {
            Issue.record("no reply")
            return
        }
    }

    @Test func `makes one session of a program that joins its own`() throws {
        let rig = try ServerRig()
        let first = try rig.client()
        let second = try rig.client(token: first.welcome.token)
        #expect(rig.server.sessionCount == 1)
        #expect(rig.service.seen.withLock { $0.evidence.count } == 1)
        first.end()
        try second.send(.request(.atOnce))
        _ = try second.receive()
        #expect(rig.service.seen.withLock { $0.endedCount } == 0)
        second.end()
        rig.service.ended.wait()
        #expect(rig.server.sessionCount == 0)
    }

    @Test func `makes a new session of a token that is none`() throws {
        let rig = try ServerRig()
        let first = try rig.client()
        let other = try ServerRig()
        let second = try rig.client(token: try other.client().welcome.token)
        #expect(rig.server.sessionCount == 2)
        withExtendedLifetime((first, second)) {}
    }
}
