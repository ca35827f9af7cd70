import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire

// Definitions  "session": what a program got for its hello: evidence, a token, a number of
// contexts.
//              "sender": pid, uid and gid that the kernel attached to every byte of a message.
// Rules        (1) Nothing but a hello is heard before a session.
//              (2) Every other message has the session's token and the session's sender.
//              (3) A hello begins anew: its sender is judged, whoever it is. So a socket that was
//                  handed on is worth what its user is worth.
//              (4) A client sends nothing while its call is under way, but the answer to a
//                  challenge.
//              (5) An answer that comes late belongs to a call that has ended, and is dropped.
//              (6) An agent answers prompts and does nothing else.
//
// Source: Documentation/Spec/wire.md §3, §6.

/// What a connection does with the next message; pure.
package struct ConnectionRules: Sendable {
    /// Who may send now.
    package struct Member: Sendable {
        package let peer: PeerIdentity
        package let token: SessionToken

        package init(peer: PeerIdentity, token: SessionToken) {
            self.peer = peer
            self.token = token
        }
    }

    private enum Phase {
        case greeting
        case serving(Member)
        case agent(Member)
    }

    private var phase = Phase.greeting

    package init() {}

    /// The sender that is known; nil before the first hello.
    package var member: Member? {
        switch phase {
        case .greeting: nil
        case .serving(let member), .agent(let member): member
        }
    }

    /// A hello was answered with a welcome.
    package mutating func begin(_ member: Member) { phase = .serving(member) }

    /// The program shows prompts from now on.
    package mutating func becomeAgent() {
        if case .serving(let member) = phase { phase = .agent(member) }
    }

    /// Judges who sent a message, before anything else of it is read.
    ///
    /// - Throws: why the connection ends.
    package func admit(
        token: ReceivedToken,
        isHello: Bool,
        from peer: PeerIdentity?
    ) throws(KeychainError) {
        guard let peer, peer.processID > 0 else {
            throw .refusedConnection("the kernel does not say which process sent the message")
        }
        if isHello {
            guard token.isZero else { throw .refusedConnection("a greeting has no token") }
            return
        }
        guard let member else {
            throw .refusedConnection("the first message is a greeting, and this was none")
        }
        guard peer == member.peer else {
            throw .refusedConnection("another process than the one that connected sent a message")
        }
        guard token.matches(member.token) else {
            throw .refusedConnection("a message lacks the token of its session")
        }
    }

    /// What is to be done.
    package enum Step: Sendable {
        case greet(ClientHello)
        case carryOut(Request)
        case tell(DaemonRequest)
        case becomeAgent
        case promptAnswer(PromptID, PromptAnswer)
        case nothing
    }

    /// Decides about a message whose sender was admitted, while no call is under way.
    ///
    /// - Throws: why the connection ends.
    package func step(for message: ClientMessage) throws(KeychainError) -> Step {
        if case .hello(let hello) = message { return .greet(hello) }
        switch (phase, message) {
        case (.serving, .request(let request)): return .carryOut(request)
        case (.serving, .daemon(let request)): return .tell(request)
        case (.serving, .becomeAgent): return .becomeAgent
        case (.serving, .answer): return .nothing
        case (.agent, .promptAnswer(let prompt, let answer)): return .promptAnswer(prompt, answer)
        default: throw .refusedConnection("the message is not allowed at this point")
        }
    }

    /// The answer to a challenge, while a call waits for it.
    ///
    /// A client sees no sensor and no paired device, so it cannot claim that one saw somebody.
    /// - Throws: why the connection ends.
    package func answer(in message: ClientMessage) throws(KeychainError) -> PromptAnswer {
        guard case .answer(let answer) = message else {
            throw .refusedConnection("the answer to a prompt was expected")
        }
        switch answer {
        case .typed, .canceled, .fallback, .nothing, .impossible: return answer
        case .presented, .approved, .interrupted:
            throw .refusedConnection("a program cannot answer for a sensor")
        }
    }
}

extension KeychainError {
    /// The reason for which a connection is ended.
    package static func refusedConnection(_ reason: String) -> KeychainError {
        KeychainError(.notAvailable, "the daemon ended the connection: \(reason)")
    }
}
