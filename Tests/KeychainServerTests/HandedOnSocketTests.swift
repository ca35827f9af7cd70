import Foundation
import Glibc
import KeychainMessages
import KeychainServer
import KeychainSockets
import KeychainWire
import MessageTransport
import TestSupport
import Testing

/// fork(2), which Swift's overlay hides.
private func forked() throws -> pid_t {
    let symbol = try #require(dlsym(nil, "fork"))
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
}

/// Greets once, so that a child can be forked off.
///
/// The server's threads have begun to wait then, and all that a greeting needs was initialized. A
/// child that is forked off before may inherit a lock that no thread of it ever releases.
private func settled(_ rig: ServerRig) throws -> ClientConnection { try rig.client() }

/// What a child that was forked off does with its parent's socket; its exit status.
private func child(_ body: () throws -> Bool) throws -> Int32 {
    let number = try forked()
    if number == 0 { _exit((try? body()) == true ? 0 : 1) }
    var status: Int32 = 0
    waitpid(number, &status, 0)
    return status
}

@Suite(.requirement("DMN-03")) struct `A socket that another process uses` {
    @Test func `ends with a message that has the token of the first process`() async {
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig()
            let client = try rig.raw()
            let token = try client.greet()
            let status = try child {
                try client.send(.request(.atOnce), token: token)
                return client.end()?.says("another process") == true
            }
            try #require(status == 0)
            try #require(rig.service.seen.withLock { $0.callCount } == 0)
        }
    }

    @Test func `is judged anew with a greeting`() async {
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig()
            let client = try rig.raw()
            let old = try client.greet()
            let status = try child {
                let token = try client.greet()
                try client.send(.request(.atOnce), token: token)
                guard case .reply = try client.receive() else { return false }
                return true
            }
            try #require(status == 0)
            let processes = rig.service.seen.withLock { $0.evidence.map(\.processID) }
            try #require(processes.count == 2 && processes[0] == getpid())
            try #require(processes[1] != getpid())
            // The child has ended, and with it what its greeting began.
            rig.service.ended.wait()
            try? client.send(.request(.atOnce), token: old)
            try #require(client.end() != nil)
        }
    }

    @Test func `does not join the session of the first process`() async {
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig()
            let first = try rig.client()
            let token = first.welcome.token
            let status = try child {
                let other = try rig.client(token: token)
                return !other.welcome.token.secret.secret.constantTimeEquals(token.secret.secret)
            }
            try #require(status == 0)
            try #require(rig.service.seen.withLock { $0.evidence.count } == 2)
        }
    }

    @Test func `ends when the process ends that said hello, whoever holds it`() async {
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig()
            let client = try rig.raw()
            let other = try settled(rig)
            defer { withExtendedLifetime(other) {} }
            _ = try child {
                _ = try client.greet()
                return true
            }
            // This process still holds the socket.
            rig.service.ended.wait()
            try #require(client.end() == .closed)
        }
    }

    @Test func `takes the prompt away when its process ends`() async {
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig(service: FakeService(outlivesProgram: true))
            let client = try rig.raw()
            let other = try settled(rig)
            defer { withExtendedLifetime(other) {} }
            let number = try forked()
            if number == 0 {
                let token = try? client.greet()
                try? client.send(.request(.challenged), token: token)
                while true { pause() }
            }
            rig.service.entered.wait()
            kill(number, SIGKILL)
            waitpid(number, nil, 0)
            rig.service.noted.wait()
            try #require(rig.service.seen.withLock { $0.wasThere } == [false])
        }
    }

    @Test func `is refused to a program that was another one when it was judged`() throws {
        let rig = try ServerRig(evidence: FakeEvidence(images: .init([1, 2])))
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.request(.atOnce), token: token)
        #expect(client.end()?.says("executed another program") == true)
        #expect(rig.service.seen.withLock { $0.callCount } == 0)
    }

    @Test func `joins no session for a program that was another one when it was judged`() throws {
        let rig = try ServerRig(evidence: FakeEvidence(images: .init([1, 2])))
        let first = try rig.client()
        #expect(throws: (any Error).self) { try rig.client(token: first.welcome.token) }
    }

    @Test func `is refused to a program that hides after its greeting`() throws {
        let rig = try ServerRig(evidence: FakeEvidence(images: .init([1, 0])))
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.request(.atOnce), token: token)
        #expect(client.end()?.says("executed another program") == true)
        #expect(rig.service.seen.withLock { $0.callCount } == 0)
    }

    @Test(arguments: [getegid(), getegid() + 1])
    func `is told from one that a program of the client group connected`(group: UInt32) throws {
        let rig = try ServerRig(evidence: FakeEvidence(clientGroup: group))
        _ = try rig.client()
        let evidence = try #require(rig.service.seen.withLock { $0.evidence.last })
        #expect(evidence.isConnectionForeign == (group != getegid()))
    }

    @Test func `looks at a program twice and not again`() throws {
        let rig = try ServerRig(evidence: FakeEvidence(images: .init([1, 1, 2])))
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.request(.atOnce), token: token)
        _ = try client.receive()
        try client.send(.request(.atOnce), token: token)
        _ = try client.receive()
        #expect(rig.service.seen.withLock { $0.callCount } == 2)
    }
}
