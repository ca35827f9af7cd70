import DataProtection
import KeychainModel

/// The host: visits each room once and in order, under one lock.
///
/// A request is parsed and authorized before the lock is taken; nobody waits for a person, a
/// socket or a timer inside it.
package final class Engine: Sendable {
    /// Which rules apply.
    package let profiles: Profiles
    private let environment: EngineEnvironment
    private let state: ReadersLock<EngineState>

    /// Takes over an open device and an open store.
    package init(
        device: consuming sending Device,
        store: consuming sending ItemStore,
        environment: EngineEnvironment,
        profiles: Profiles
    ) throws(KeychainError) {
        var opened = try EngineState(
            device: device,
            store: store,
            environment: environment,
            profiles: profiles
        )
        try opened.resumeErasure()
        try opened.settleKeySet()
        try opened.takeOverKeySet()
        try opened.takeOverRows()
        opened.store.forgetWhatOthersLeft()
        self.profiles = profiles
        self.environment = environment
        self.state = ReadersLock(opened)
    }

    /// Carries out one round of a request.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - caller: Who wants it.
    ///   - conversation: What was answered in the rounds before.
    /// - Returns: The answer.
    /// - Throws: the status and the reason; every refusal is also a finding. A challenge is thrown
    ///   while somebody has to be asked first.
    package func perform(
        _ request: Request,
        from caller: Caller,
        _ conversation: Conversation = Conversation()
    ) throws(KeychainError) -> Reply {
        switch request {
        case .add(let dictionary):
            try serve(.add, dictionary, caller) { parser, authorizer throws(KeychainError) in
                let query = try authorizer.authorize(try parser.add(dictionary))
                return .work { state, findings throws(KeychainError) in
                    .result(try state.add(query, conversation, findings: &findings))
                }
            }
        case .copyMatching(let dictionary):
            try serve(.copyMatching, dictionary, caller) {
                parser,
                authorizer throws(KeychainError) in
                let query = try authorizer.authorize(try parser.select(dictionary))
                if let found = try readShared(query) { return .done(.result(found)) }
                return .work { state, findings throws(KeychainError) in
                    .result(try state.copyMatching(query, conversation, findings: &findings))
                }
            }
        case .update(let dictionary, let changes):
            try serve(.update, dictionary, caller) { parser, authorizer throws(KeychainError) in
                let parsed = try parser.update(dictionary, with: changes)
                let query = try authorizer.authorize(parsed)
                return .work { state, findings throws(KeychainError) in
                    try state.update(query, conversation, findings: &findings)
                }
            }
        case .delete(let dictionary):
            try serve(.delete, dictionary, caller) { parser, authorizer throws(KeychainError) in
                let query = try authorizer.authorize(try parser.delete(dictionary))
                return .work { state, findings throws(KeychainError) in
                    try state.delete(query, findings: &findings)
                }
            }
        case .list(let dictionary): try list(dictionary, caller)
        case .addAll(let dictionaries, let duplicates):
            try addAll(dictionaries, duplicates, caller, conversation)
        case .replaceAccessControl(let dictionary, let flags, let protection):
            try replaceAccessControl(dictionary, (flags, protection), caller, conversation)
        case .makeElementKey(let dictionary, let isPermanent, let publicHalf):
            try makeElementKey(dictionary, isPermanent, publicHalf, caller, conversation)
        case .device(.lock):
            try enterToLock { state throws(KeychainError) in
                try state.perform(.lock, for: caller)
            }
        default: try performUnparsed(request, caller, conversation)
        }
    }

    /// What needs no dictionary.
    private func performUnparsed(
        _ request: Request,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> Reply {
        try enter { state throws(KeychainError) in
            switch request {
            case .useElementKey(let handle, let algorithm, let use, let terms):
                let asker = Asker(
                    terms: terms,
                    canPrompt: caller.canPrompt,
                    conversation: conversation
                )
                return .bytes(
                    try state.useElementKey(handle, algorithm: algorithm, use, for: asker)
                )
            case .checkElementKey(let handle):
                try state.checkElementKey(handle)
                return .none
            case .authenticate(let request):
                return try state.authenticate(request, canPrompt: caller.canPrompt, conversation)
            case .device(let command): return try state.perform(command, for: caller)
            case .add, .addAll, .copyMatching, .list, .update, .delete, .makeElementKey,
                .replaceAccessControl:
                throw KeychainError(.internal, "a dictionary was not parsed")
            }
        }
    }

    private func list(
        _ dictionary: AttributeDictionary,
        _ caller: Caller
    ) throws(KeychainError) -> Reply {
        try serve(.copyMatching, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.select(dictionary))
            return .work { state, findings throws(KeychainError) in
                .listing(try state.list(query, findings: &findings))
            }
        }
    }

    private func addAll(
        _ dictionaries: [AttributeDictionary],
        _ duplicates: DuplicateRule,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> Reply {
        try serve(.add, dictionaries.first ?? [:], caller) {
            parser,
            authorizer throws(KeychainError) in
            var queries: [Authorized<AddQuery>] = []
            for dictionary in dictionaries {
                queries.append(try authorizer.authorize(try parser.add(dictionary)))
            }
            let all = queries
            return .work { state, _ throws(KeychainError) in
                .results(try state.addAll(all, conversation, duplicates: duplicates))
            }
        }
    }

    private func makeElementKey(
        _ dictionary: AttributeDictionary,
        _ isPermanent: Bool,
        _ publicHalf: AttributeDictionary?,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> Reply {
        try serve(.add, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.add(dictionary))
            var other: Authorized<AddQuery>?
            if let publicHalf { other = try authorizer.authorize(try parser.add(publicHalf)) }
            let publicQuery = other
            return .work { state, findings throws(KeychainError) in
                .elementKey(
                    try state.makeElementKey(
                        query,
                        conversation,
                        isPermanent: isPermanent,
                        publicHalf: publicQuery,
                        findings: &findings
                    )
                )
            }
        }
    }

    private func replaceAccessControl(
        _ dictionary: AttributeDictionary,
        _ new: (flags: AccessControl.Flags, protection: ProtectionClass?),
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> Reply {
        try serve(.update, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let parsed = try parser.replacement(dictionary, protection: new.protection)
            let query = try authorizer.authorize(parsed)
            return .work { state, findings throws(KeychainError) in
                try state.replaceAccessControl(
                    query,
                    new.flags,
                    conversation,
                    findings: &findings
                )
            }
        }
    }

    /// What is left of a request that was parsed and authorized.
    private enum Rest {
        case done(Reply)
        case work((inout EngineState, inout [Finding]) throws(KeychainError) -> Reply)
    }

    /// A search beside others; nil when it needs the state for itself.
    private func readShared(
        _ query: Authorized<SelectQuery>
    ) throws(KeychainError) -> ItemResult? {
        try state.withSharedLock { state throws(KeychainError) in
            guard let results = state.sharedMatches(query) else { return nil }
            return try state.answer(results, to: query.query)
        }
    }

    /// Parse and authorize, then work under the lock, then tell what was noticed.
    private func serve(
        _ verb: Finding.Verb,
        _ dictionary: AttributeDictionary,
        _ caller: Caller,
        _ prepare: (inout QueryParser, Authorizer) throws(KeychainError) -> Rest
    ) throws(KeychainError) -> Reply {
        var parser = QueryParser(verb, profiles: profiles)
        var findings: [Finding] = []
        defer { for finding in parser.findings + findings { environment.note(finding) } }
        do throws(KeychainError) {
            let authorizer = try Authorizer(caller, on: profiles.system)
            switch try prepare(&parser, authorizer) {
            case .done(let reply): return reply
            case .work(let work):
                return try enter { state throws(KeychainError) in try work(&state, &findings) }
            }
        } catch {
            // A question is no refusal yet, and what was noticed will be noticed again.
            if error.challenge != nil {
                findings = []
                parser = QueryParser(verb, profiles: profiles)
                throw error
            }
            findings.append(
                Finding(
                    .refusal,
                    verb: verb,
                    item: dictionary.itemName,
                    status: error.status,
                    detail: explanation(of: error, caller)
                )
            )
            throw error
        }
    }

    /// The reason, and where lock state or context refuses, both as they are by now.
    private func explanation(of error: KeychainError, _ caller: Caller) -> String {
        guard error.status == .interactionNotAllowed, let state = try? lockState().state else {
            return error.reason
        }
        let prompt = caller.canPrompt ? "in the foreground" : "in the background"
        // A simulated device is unlocked by its test, this machine by a person or a credential.
        let helps = profiles.system == .host && state != .unlocked
        let hint =
            helps
            ? " `keychain unlock-keychain` unlocks it; without a person, give it --unlock-with, or"
                + " set KEYCHAIN_UNLOCK_WITH." : ""
        return "\(error.reason); the device is \(state.words), the program \(prompt).\(hint)"
    }

    /// Tells of something that no request of a program has met.
    func note(_ rule: DiagnosticRule, _ verb: Finding.Verb, _ item: String, detail: String) {
        environment.note(
            Finding(rule, verb: verb, item: item, status: .success, detail: detail)
        )
    }

    /// Wipes class keys, metadata keys and proofs, because the process ends.
    ///
    /// Other threads' calls are refused from here on. If one of them is at work for longer than a
    /// tenth of a second, or ends the process itself, the keys stay to the end.
    package func end() { state.withLockSoon { $0.end() } }

    /// Works with the state alone; announcements leave once it is free.
    package func enter<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in
            try state.refresh()
            state.store.forgetWhatIsOwed()
            do throws(KeychainError) { return try body(&state) } catch {
                guard error.isAboutOtherKeys else { throw error }
            }
            try state.settleKeySet()
            try state.refresh()
            return try body(&state)
        }
    }

    /// Works with the state alone, also where it cannot be brought up to date: nothing that went
    /// wrong with the files keeps the device from being locked.
    func enterToLock<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in
            try? state.refresh()
            return try body(&state)
        }
    }

    private func work<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        var announcements: [DeviceAnnouncement] = []
        defer { for announcement in announcements { environment.announce(announcement) } }
        return try state.withLock { state throws(KeychainError) in
            guard !state.hasEnded else {
                throw KeychainError(.notAvailable, "the process is ending")
            }
            defer { announcements = state.takeAnnouncements() }
            return try body(&state)
        }
    }
}

extension LockState {
    /// The state as a sentence says it.
    fileprivate var words: String {
        switch self {
        case .beforeFirstUnlock: "not unlocked since it started"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }
}
