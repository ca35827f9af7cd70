import KeychainMessages
import KeychainModel
import KeychainSockets
import KeychainWire

// Calls: rounds of work, with challenges between them.
extension ServedConnection {
    /// Carries out a request and sends its outcome.
    func carryOut(_ request: Request) throws(ConnectionEnd) {
        guard let session else { throw .gone }
        // A lock does not wait for a slot.
        let slots = request.isLock ? nil : parts.census.slots(of: person)
        let call: any ProgramCall
        do throws(KeychainError) {
            call = try whileWaited(in: slots) { () throws(KeychainError) in
                try session.program.call(request)
            }
        } catch { return try reply(.failure(error, [])) }
        let asker = ConnectionAsker(self, session)
        let outcome: DaemonMessage
        do throws(KeychainError) {
            let isLarge = request.mayAnswerMuch || holdsMuch
            let turn = isLarge ? parts.census.turn(of: person) : nil
            let answer = try finish(call, asker, turn, in: slots)
            outcome = .reply(answer, call.finish(nil))
        } catch { outcome = .failure(error, call.finish(error)) }
        if let end = asker.end { throw end }
        try reply(outcome)
    }

    /// Continues a call until it needs no more prompts.
    private func finish(
        _ call: any ProgramCall,
        _ asker: ConnectionAsker,
        _ turn: LargeCallTurn?,
        in slots: CallSlots?
    ) throws(KeychainError) -> Reply {
        var answer: PromptAnswer?
        while true {
            let given = answer
            let step: CallStep
            if let turn {
                // The turn comes first, so that a call that waits for it holds no slot.
                step = try turn.take { () throws(KeychainError) in
                    try whileWaited(in: slots) { () throws(KeychainError) in
                        try call.proceed(given)
                    }
                }
            } else {
                step = try whileWaited(in: slots) { () throws(KeychainError) in
                    try call.proceed(given)
                }
            }
            switch step {
            case .reply(let reply): return reply
            case .challenge(let challenge): answer = call.ask(challenge, asker)
            }
        }
    }
}

extension ServedConnection {
    /// Runs work for the program, which can check whether the program still waits for it.
    ///
    /// Work that is no longer needed then takes nothing from other programs.
    func whileWaited<R>(
        in slots: CallSlots?,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        guard let session else { return try body() }
        let look = WaitingClient.Look { [self] in
            !stream.stream.isEnded(watching: session.process.number)
        }
        let result: Result<R, KeychainError> = WaitingClient.$look.withValue(look) {
            WaitingClient.$turn.withValue(slots) {
                do throws(KeychainError) {
                    guard let slots else { return .success(try body()) }
                    return .success(try slots.work(body))
                } catch { return .failure(error) }
            }
        }
        return try result.get()
    }
}

extension Request {
    fileprivate var isLock: Bool {
        if case .device(.lock) = self { true } else { false }
    }

    /// Whether it requests more than one item.
    fileprivate var mayAnswerMuch: Bool {
        switch self {
        case .items(.copyMatching(let query)): query[QueryKey.matchLimit.rawValue] != nil
        case .items(.list), .maintenance(.next), .synchronization(.read),
            .synchronization(.contents), .synchronization(.records):
            true
        case .items, .elementKey, .authenticate, .device, .maintenance, .fileKeys,
            .synchronization:
            false
        }
    }
}

/// The program on the other side of a connection, while its call waits for a prompt.
///
/// `@unchecked Sendable` is sound because only the connection's thread uses `answer` and `end`, and
/// `isThere` only checks the socket.
final class ConnectionAsker: ProgramAsker, @unchecked Sendable {
    private let connection: ServedConnection
    private let session: ServedSession
    /// The reason to end the connection, if the program answered wrongly.
    private(set) var end: ConnectionEnd?

    /// The interval at which a challenge is checked for whether it is still needed.
    private static let lookMilliseconds: UInt32 = 100

    init(_ connection: ServedConnection, _ session: ServedSession) {
        self.connection = connection
        self.session = session
    }

    var isThere: Bool {
        !connection.stream.stream.isEnded(watching: session.process.number)
    }

    func answer(
        _ challenge: Challenge,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer? {
        guard session.answersPrompts else { return nil }
        do throws(ConnectionEnd) {
            try connection.reply(.challenge(challenge))
            guard try waitForAnswer(while: isWanted) else { return .nothing }
            let received = try connection.receive()
            defer {
                connection.parts.census.release(received.reserved, for: connection.person)
            }
            do throws(KeychainError) {
                return try connection.rules.answer(in: received.message)
            } catch { throw .refused(error) }
        } catch {
            end = error
            return .impossible
        }
    }

    /// Waits for a message.
    ///
    /// - Returns: Whether one arrived while it was still needed.
    private func waitForAnswer(
        while isWanted: () -> Bool
    ) throws(ConnectionEnd) -> Bool {
        if !connection.ahead.isEmpty { return true }
        while isWanted() {
            let wakeup = try? connection.stream.stream.wait(
                for: .arrival,
                watching: session.process.number,
                until: .after(milliseconds: Self.lookMilliseconds)
            )
            switch wakeup {
            case .ready?: return true
            case .timedOut?: continue
            case .processEnded?, nil: throw .gone
            }
        }
        return false
    }
}
