import Glibc
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainWire
import MessageTransport
import Testing

@Suite struct `A call over a socket` {
    let rig: ServerRig

    init() throws { rig = try ServerRig() }

    @Test func `is answered, with what was noticed`() throws {
        let client = try rig.client()
        try client.send(.request(.atOnce))
        guard case .reply(.device(.changed), let findings) = try client.receive() else {
            Issue.record("no reply")
            return
        }
        #expect(findings.map(\.status) == [0])
    }

    @Test func `fails with the reason of the service`() throws {
        let client = try rig.client()
        try client.send(.request(.items(.delete([:]))))
        guard case .failure(let error, let findings) = try client.receive() else {
            Issue.record("no failure")
            return
        }
        #expect(error.status == .unimplemented)
        #expect(findings.map(\.status) == [SecurityStatus.unimplemented.rawValue])
    }

    @Test func `is not made to a daemon of an account that may not be one`() throws {
        let isOfMachine = ServerAccounts.machine.contains(geteuid())
        do throws(ConnectionError) {
            _ = try ClientConnection(connectingTo: rig.path, ClientHello(), server: .machine)
            #expect(isOfMachine)
        } catch {
            guard case .foreignServer(let userID) = error else { throw error }
            #expect(userID == geteuid() && !isOfMachine)
        }
    }

    @Test(arguments: [
        (userID: 0, isOne: true), (userID: 990, isOne: true), (userID: 1000, isOne: false),
    ]) func `is made by a protected program to root and to the daemon's account`(
        userID: UInt32,
        isOne: Bool
    ) {
        let isContained = ServerAccounts.machine.contains(userID) { name in
            name == "keychain" ? 990 : nil
        }
        #expect(isContained == isOne)
        #expect(ServerAccounts.any.contains(userID))
    }

    @Test func `comes back as a challenge, and goes on with the answer`() throws {
        let client = try rig.client(answersPrompts: true)
        try client.send(.request(.challenged))
        guard case .challenge(let challenge) = try client.receive() else {
            Issue.record("no challenge")
            return
        }
        #expect(challenge.prompt.reason == "to test")
        try client.send(.answer(.words("typed")))
        guard case .reply(.device(.changed(let warnings)), _) = try client.receive() else {
            Issue.record("no reply")
            return
        }
        #expect(warnings.map(\.reason) == ["typed"])
    }

    @Test func `asks no program that did not offer to answer`() throws {
        let client = try rig.client()
        try client.send(.request(.challenged))
        guard case .failure(let error, _) = try client.receive() else {
            Issue.record("no failure")
            return
        }
        #expect(error.status == .userCanceled)
    }

    @Test(arguments: [PromptAnswer.presented([1]), .approved, .interrupted])
    func `ends with its connection if a program answers for a sensor`(
        answer: PromptAnswer
    ) throws {
        let client = try rig.raw()
        let token = try client.greet(answersPrompts: true)
        try client.send(.request(.challenged), token: token)
        _ = try client.receive()
        try client.send(.answer(answer), token: token)
        #expect(client.end()?.says("cannot answer for a sensor") == true)
    }

    @Test func `is not taken for an answer that comes late`() throws {
        let client = try rig.client(answersPrompts: true)
        try client.send(.answer(.words("late")))
        try client.send(.request(.atOnce))
        guard case .reply = try client.receive() else {
            Issue.record("no reply")
            return
        }
    }

    @Test func `has a large reply in several frames`() throws {
        let client = try rig.client()
        try client.send(.request(.large))
        guard case .reply(.items(.result(.data(let bytes))), _) = try client.receive() else {
            Issue.record("no reply")
            return
        }
        #expect(bytes.secret.byteCount == 4 << 20)
    }

    @Test func `about the service itself is answered, too`() throws {
        let client = try rig.client()
        try client.send(.daemon(.simulate(["lock", "now"])))
        guard case .daemon(.simulated(let words)) = try client.receive() else {
            Issue.record("no reply")
            return
        }
        #expect(words == "lock now")
    }

    @Test func `gets its reply when the server stops meanwhile`() throws {
        let client = try rig.client()
        let idle = try rig.raw()
        _ = try idle.greet()
        try client.send(.request(.waiting))
        rig.service.entered.wait()
        let stopped = ServerStop(rig.server)
        // The idle connection ends at once; so the stop has begun.
        #expect(idle.end() == .closed)
        rig.service.gate.signal()
        guard case .reply = try client.receive() else {
            Issue.record("no reply")
            return
        }
        stopped.wait()
        #expect(rig.server.connectionCount == 0)
        #expect(throws: ConnectionError.self) { try rig.client() }
    }
}
