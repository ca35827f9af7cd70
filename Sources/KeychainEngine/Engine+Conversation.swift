import KeychainModel

// Talking with people: a call is made, and made again after every answer, until it is through.
// While somebody thinks, nothing of the engine is held.
//
// Source: keychain access control, errSecAuthNeeded; requirements BIO-01, BIO-08, API-26.
extension Engine {
    /// How often a call asks at most; more would be a person who cannot be helped.
    private static let roundLimit = 20

    /// Carries out a request, asking whoever has to be asked.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - caller: Who wants it.
    ///   - prompter: Asks the person; nil where nobody can be asked.
    /// - Returns: The answer.
    /// - Throws: As `perform(_:from:_:)`, but never a challenge.
    package func perform(
        _ request: Request,
        from caller: Caller,
        asking prompter: (any Prompter)?
    ) throws(KeychainError) -> Reply {
        var conversation = Conversation()
        let context = request.context
        for _ in 0..<Self.roundLimit {
            do throws(KeychainError) {
                let reply = try perform(request, from: caller, conversation)
                try settle(conversation, context)
                return reply
            } catch {
                guard let challenge = error.challenge else { throw error }
                guard let prompter else { throw KeychainError(.notInteractive) }
                let answer = prompter.answer(challenge.prompt) {
                    context?.isInvalidated() != true
                }
                if context?.isInvalidated() == true { throw KeychainError(.appCancel) }
                conversation = try take(answer, to: challenge, conversation)
            }
        }
        throw KeychainError(
            .authenticationFailed,
            "the user failed the prompt too often; try again"
        )
    }

    /// Judges an answer, and looks around anew: a person has had time to move.
    private func take(
        _ answer: PromptAnswer,
        to challenge: Challenge,
        _ conversation: Conversation
    ) throws(KeychainError) -> Conversation {
        var next = conversation
        if case .typed(let passcode) = answer, challenge.factor == .passcode {
            try attempt(with: passcode) { rooms throws(KeychainError) in
                try rooms.session.beginProof(answering: challenge, &next)
            } finish: { rooms, stretched throws(KeychainError) in
                try rooms.session.finishProof(with: stretched, answering: challenge, &next)
            }
        } else {
            try enter { rooms throws(KeychainError) in
                try rooms.session.take(answer, to: challenge, &next)
            }
        }
        next.surroundings = environment.surroundings()
        return next
    }

    private func settle(
        _ conversation: Conversation,
        _ context: ContextReference?
    ) throws(KeychainError) {
        guard context != nil, !conversation.proof.factors.isEmpty else { return }
        try enter { rooms throws(KeychainError) in rooms.session.settle(conversation, context) }
    }
}

extension Request {
    /// The context that the call is made with.
    fileprivate var context: ContextReference? {
        switch self {
        case .add(let dictionary), .copyMatching(let dictionary), .list(let dictionary),
            .update(let dictionary, _), .delete(let dictionary),
            .makeElementKey(let dictionary, _, _), .replaceAccessControl(let dictionary, _, _):
            dictionary.context
        case .addAll(let dictionaries, _): dictionaries.first?.context
        case .useElementKey(_, _, _, let terms): terms.context
        case .authenticate(.evaluate(_, let context)): context
        case .authenticate, .checkElementKey, .device: nil
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
