import KeychainMessages
import KeychainModel

// Prompting: the engine makes a call, and makes it again after each answer until it completes.
// While a user thinks, the engine holds nothing.
//
// Source: keychain access control, errSecAuthNeeded; requirements BIO-01, BIO-08, API-26.

/// A call in progress: its request, and the answers so far.
///
/// The transport that carries its messages keeps it while a user thinks.
package struct EngineCall: Sendable {
    /// The most prompts of one call; a user who needs more cannot be helped.
    fileprivate static let challengeLimit = 20

    fileprivate let request: Request
    fileprivate let caller: Caller
    fileprivate let callerWork: CallerWork?
    /// The authentication context of the call.
    fileprivate let context: ContextUse?
    fileprivate var conversation = Conversation()
    /// The challenge that waits for an answer.
    fileprivate var challenge: Challenge?
    fileprivate var challengeCount = 0

    /// Whether the caller still needs the answer to its challenge.
    package var isWanted: Bool { context?.hasEnded != true }
}

extension Engine {
    /// Creates a call that has not begun.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The program that makes it.
    ///   - callerWork: The long work of the caller.
    /// - Returns: The call, before its first round.
    package func call(
        _ request: Request,
        from caller: Caller,
        _ callerWork: CallerWork? = nil
    ) -> EngineCall {
        EngineCall(
            request: request,
            caller: caller,
            callerWork: callerWork,
            context: request.context.map { ContextUse($0, contextEnds) }
        )
    }

    /// Makes the next round of a call; the first has no answer.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - answer: The answer to its challenge.
    /// - Returns: The reply, or the next challenge.
    /// - Throws: As `perform(_:from:_:_:)`, except that challenges are returned.
    package func proceed(
        with call: inout EngineCall,
        _ answer: PromptAnswer? = nil
    ) throws(KeychainError) -> CallStep {
        if let challenge = call.challenge {
            if !call.isWanted { throw KeychainError(.appCancel) }
            call.conversation = try take(answer ?? .impossible, to: challenge, call.conversation)
            call.challenge = nil
        }
        do throws(KeychainError) {
            let reply = try perform(
                call.request,
                from: call.caller,
                call.callerWork,
                call.conversation
            )
            try keepProofs(call)
            return .reply(reply)
        } catch {
            return .challenge(try challenge(behind: error, in: &call))
        }
    }

    /// Records the challenge that a round has to wait for.
    ///
    /// - Throws: The error itself if it carries no challenge.
    private func challenge(
        behind error: KeychainError,
        in call: inout EngineCall
    ) throws(KeychainError) -> Challenge {
        guard let challenge = error.challenge else { throw error }
        guard call.challengeCount < EngineCall.challengeLimit else {
            throw KeychainError(
                .authenticationFailed,
                "the user failed the prompt too often; try again"
            )
        }
        call.challengeCount += 1
        call.challenge = challenge
        return challenge
    }

    /// Carries out a request, and prompts the user as often as it needs to.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The program that makes it.
    ///   - callerWork: The long work of the caller.
    ///   - prompter: Shows prompts; nil if no person can answer one.
    /// - Returns: The reply.
    /// - Throws: As `proceed(with:_:)`.
    package func perform(
        _ request: Request,
        from caller: Caller,
        _ callerWork: CallerWork? = nil,
        asking prompter: (any Prompter)?
    ) throws(KeychainError) -> Reply {
        var call: EngineCall
        var turn: CallStep
        if request.context == nil {
            // Most calls prompt for nothing, so nothing has to be kept for another round.
            do throws(KeychainError) { return try perform(request, from: caller, callerWork) } catch
            {
                call = self.call(request, from: caller, callerWork)
                turn = .challenge(try challenge(behind: error, in: &call))
            }
        } else {
            call = self.call(request, from: caller, callerWork)
            turn = try proceed(with: &call)
        }
        while true {
            switch turn {
            case .reply(let reply): return reply
            case .challenge(let challenge):
                guard let prompter else { throw KeychainError(.notInteractive) }
                let asked = call
                let answer = prompter.answer(challenge.prompt) { asked.isWanted }
                turn = try proceed(with: &call, answer)
            }
        }
    }

    /// Judges an answer and reads the surroundings again, because the user had time to move.
    private func take(
        _ answer: PromptAnswer,
        to challenge: Challenge,
        _ conversation: Conversation
    ) throws(KeychainError) -> Conversation {
        var next = conversation
        if case .typed(let passcode) = answer, challenge.factor == .passcode {
            try attempt(with: passcode) { state throws(KeychainError) in
                try state.session.beginProof(answering: challenge, &next)
            } finish: { state, stretched throws(KeychainError) in
                try state.session.finishProof(with: stretched, answering: challenge, &next)
            }
        } else {
            try enter { state throws(KeychainError) in
                try state.session.take(answer, to: challenge, &next)
            }
        }
        next.surroundings = environment.surroundings()
        return next
    }

    private func keepProofs(_ call: EngineCall) throws(KeychainError) {
        guard let context = call.context, !call.conversation.proof.factors.isEmpty else { return }
        try enter { state throws(KeychainError) in
            state.session.keepProofs(call.conversation, context.context)
        }
    }
}

extension Request {
    /// The authentication context of the call.
    fileprivate var context: ContextReference? {
        switch self {
        case .items(let request): request.context
        case .elementKey(.make(let dictionary, _, _)): dictionary.context
        case .elementKey(.use(_, _, _, let terms)): terms.context
        case .authenticate(.evaluate(_, let context)): context
        case .elementKey(.check), .authenticate(.canEvaluate), .authenticate(.biometryStatus),
            .authenticate(.end), .device, .maintenance, .fileKeys, .synchronization:
            nil
        }
    }
}

extension ItemRequest {
    fileprivate var context: ContextReference? {
        switch self {
        case .add(let dictionary), .copyMatching(let dictionary), .list(let dictionary),
            .update(let dictionary, _), .delete(let dictionary),
            .replaceAccessControl(let dictionary, _, _):
            dictionary.context
        case .addAll(let dictionaries, _): dictionaries.first?.context
        }
    }
}

extension AttributeDictionary {
    fileprivate var context: ContextReference? {
        guard case .authentication(let context)? = self[QueryKey.useAuthenticationContext.rawValue]
        else { return nil }
        return context
    }
}
