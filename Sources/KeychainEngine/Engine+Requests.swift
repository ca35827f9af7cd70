import DataProtection
import KeychainMessages
import KeychainModel

// One round of a request, by its group.
extension Engine {
    /// Carries out one round of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - caller: The program that makes it.
    ///   - callerWork: The long work of the caller; if nil, work ends with the call.
    ///   - conversation: The answers of the previous rounds.
    /// - Returns: The reply.
    /// - Throws: The status and the reason; every refusal is also a finding. It throws a challenge
    ///   if it needs a prompt first.
    package func perform(
        _ request: Request,
        from caller: Caller,
        _ callerWork: CallerWork? = nil,
        _ conversation: Conversation = Conversation()
    ) throws(KeychainError) -> Reply {
        try unlessLocked(request) { () throws(KeychainError) in
            try carryOut(request, from: caller, callerWork, conversation)
        }
    }

    private func carryOut(
        _ request: Request,
        from caller: Caller,
        _ callerWork: CallerWork?,
        _ conversation: Conversation
    ) throws(KeychainError) -> Reply {
        try inRounds(conversation) { conversation throws(KeychainError) in
            switch request {
            case .items(let request): .items(try perform(request, caller, conversation))
            case .elementKey(let request): .elementKey(try perform(request, caller, conversation))
            case .authenticate(let request):
                .authentication(try perform(request, caller, conversation))
            case .device(let request): .device(try perform(request, for: caller))
            case .maintenance(let request):
                .maintenance(try perform(request, callerWork ?? CallerWork()))
            case .fileKeys(let request): .fileKeys(try perform(request, for: caller))
            case .synchronization(let request): .synchronization(try perform(request))
            }
        }
    }

    private func perform(
        _ request: ItemRequest,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        switch request {
        case .add(let dictionary): try add(dictionary, caller, conversation)
        case .copyMatching(let dictionary): try copyMatching(dictionary, caller, conversation)
        case .update(let dictionary, let changes):
            try update(dictionary, changes, caller, conversation)
        case .delete(let dictionary): try delete(dictionary, caller)
        case .list(let dictionary): try list(dictionary, caller, conversation)
        case .addAll(let dictionaries, let duplicates):
            try addAll(dictionaries, duplicates, caller, conversation)
        case .replaceAccessControl(let dictionary, let flags, let protection):
            try replaceAccessControl(dictionary, (flags, protection), caller, conversation)
        }
    }

    private func perform(
        _ request: ElementKeyRequest,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ElementKeyReply {
        switch request {
        case .make(let dictionary, let isPermanent, let publicHalf):
            return try makeElementKey(dictionary, isPermanent, publicHalf, caller, conversation)
        case .check(let handle):
            try enter { state throws(KeychainError) in
                try state.vault.checkElementKey(handle, state.session)
            }
            return .known
        case .use(let handle, let algorithm, let use, let terms):
            let prover = Prover(
                terms: terms,
                canPrompt: caller.canPrompt,
                conversation: conversation
            )
            return .bytes(
                try enter { state throws(KeychainError) in
                    try state.vault.useElementKey(
                        handle,
                        algorithm: algorithm,
                        use,
                        for: prover,
                        state.session
                    )
                }
            )
        }
    }

    private func perform(
        _ request: AuthenticationRequest,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> AuthenticationReply {
        // This ends a prompt of the context at once, even while another thread has the lock.
        if case .end(let context) = request { contextEnds.end(context) }
        return try enter { state throws(KeychainError) in
            try state.session.authenticate(request, canPrompt: caller.canPrompt, conversation)
        }
    }
}
