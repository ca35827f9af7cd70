import Glibc
import KeychainMessages
import KeychainServer
import KeychainWire
import MessageTransport
import TestSupport
import Testing

/// Programs that are connected and send nothing.
@Suite(.requirement("HRD-07"), .timeLimit(.minutes(10))) struct `Connections that are idle` {
    private let rig: ServerRig
    private let clients: [ClientConnection]

    init() throws {
        var limits = ServerLimits()
        limits.idleMilliseconds = 1
        let rig = try ServerRig(limits: limits)
        self.rig = rig
        clients = try (0..<8).map { _ in try rig.client() }
        waitUntilIdle(clients.count)
    }

    private func waitUntilIdle(_ count: Int) {
        while rig.server.idleCount != count { sched_yield() }
    }

    @Test func `have no thread, and are served as soon as they send something`() throws {
        try clients.forEach { client in
            try client.send(.request(.atOnce))
            guard case .reply = try client.receive() else {
                Issue.record("no reply")
                return
            }
        }
        waitUntilIdle(clients.count)
    }

    @Test func `end with their program`() throws {
        clients.forEach { $0.end() }
        clients.forEach { _ in rig.service.ended.wait() }
        waitUntilIdle(0)
        #expect(rig.server.sessionCount == 0)
    }

    @Test func `end when the server stops`() throws {
        rig.server.stop()
        #expect(rig.server.connectionCount == 0)
        #expect(throws: ConnectionError.self) { _ = try clients[0].receive() }
    }

    @Test func `keep a challenge on the thread that waits for its answer`() throws {
        let client = try rig.client(answersPrompts: true)
        try client.send(.request(.challenged))
        guard case .challenge = try client.receive() else {
            Issue.record("no challenge")
            return
        }
        waitUntilIdle(clients.count)
        try client.send(.answer(.canceled))
        _ = try client.receive()
        waitUntilIdle(clients.count + 1)
    }
}
