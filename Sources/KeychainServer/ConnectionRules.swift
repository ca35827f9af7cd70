import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire

// Definitions  "session": the result of a program's hello: evidence, a token, a number of contexts.
//              "sender": pid, uid and gid that the kernel attached to every byte of a message.
// Rules        (1) Before a session, only a hello is accepted.
//              (2) Every other message has the session's token and the session's sender.
//              (3) A hello starts again: its sender is judged, whichever process it is. So a
//                  socket that was passed on has the rights of its user.
//              (4) During a call, a client sends only the answer to a challenge.
//              (5) A late answer belongs to a call that has ended, and is dropped.
//              (6) An agent answers prompts and does nothing else.
//
// Source: Documentation/Spec/wire.md §3, §6.

/// The protocol rules of a connection, without side effects: they decide about each message.
package struct ConnectionRules: Sendable {
    /// A sender that may send now.
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

    /// The known sender; nil before the first hello.
    package var member: Member? {
        switch phase {
        case .greeting: nil
        case .serving(let member), .agent(let member): member
        }
    }

    /// Records that a hello was answered with a welcome.
    package mutating func begin(_ member: Member) { phase = .serving(member) }

    /// Records that the program shows prompts from now on.
    package mutating func becomeAgent() {
        if case .serving(let member) = phase { phase = .agent(member) }
    }

    /// Checks the sender of a message, before anything else of it is read.
    ///
    /// - Throws: The reason to end the connection.
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

    /// The action for a message.
    package enum Step: Sendable {
        case greet(ClientHello)
        case carryOut(Request)
        case tell(DaemonRequest)
        case becomeAgent
        case promptAnswer(PromptID, PromptAnswer)
        case nothing
    }

    /// Decides about a message of an admitted sender, while no call is in progress.
    ///
    /// - Throws: The reason to end the connection.
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

    /// Returns the answer to a challenge, for which a call waits.
    ///
    /// A client has no access to sensors or paired devices, so it cannot answer for one.
    /// - Throws: The reason to end the connection.
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
    /// Returns the error with the reason to end a connection.
    package static func refusedConnection(_ reason: String) -> KeychainError {
        KeychainError(.notAvailable, "the daemon ended the connection: \(reason)")
    }
}
