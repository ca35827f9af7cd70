import DataProtection
import KeychainMessages
import KeychainModel

// Requests with a dictionary, parsed and authorized before the engine takes its lock.
extension Engine {
    func add(
        _ dictionary: AttributeDictionary,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.add, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.add(dictionary))
            return .work { state, findings throws(KeychainError) in
                .result(
                    try state.vault.add(query, conversation, &state.session, findings: &findings)
                )
            }
        }
    }

    func copyMatching(
        _ dictionary: AttributeDictionary,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.copyMatching, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.select(dictionary))
            if let found = try readShared(query) { return .done(.result(found)) }
            return .work { state, findings throws(KeychainError) in
                .result(
                    try state.vault.copyMatching(
                        query,
                        conversation,
                        state.session,
                        findings: &findings
                    )
                )
            }
        }
    }

    /// Searches in parallel with other readers; returns nil if the search needs exclusive access.
    private func readShared(
        _ query: Authorized<SelectQuery>
    ) throws(KeychainError) -> ItemResult? {
        try readBeside { state throws(KeychainError) in
            guard let results = state.vault.sharedMatches(query, state.session) else { return nil }
            return try state.vault.answer(results, to: query.query)
        }
    }

    func update(
        _ dictionary: AttributeDictionary,
        _ changes: AttributeDictionary,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.update, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let parsed = try parser.update(dictionary, with: changes)
            let query = try authorizer.authorize(parsed)
            return .work { state, findings throws(KeychainError) in
                try state.vault.update(query, conversation, &state.session, findings: &findings)
            }
        }
    }

    func delete(
        _ dictionary: AttributeDictionary,
        _ caller: Caller
    ) throws(KeychainError) -> ItemReply {
        try serve(.delete, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.delete(dictionary))
            return .work { state, findings throws(KeychainError) in
                try state.vault.delete(query, &state.session, findings: &findings)
            }
        }
    }

    func list(
        _ dictionary: AttributeDictionary,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.copyMatching, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.select(dictionary))
            return .work { state, findings throws(KeychainError) in
                .listing(
                    try state.vault.list(query, conversation, state.session, findings: &findings)
                )
            }
        }
    }

    func addAll(
        _ dictionaries: [AttributeDictionary],
        _ duplicates: DuplicateRule,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.add, dictionaries.first ?? [:], caller) {
            parser,
            authorizer throws(KeychainError) in
            var queries: [Authorized<AddQuery>] = []
            for dictionary in dictionaries {
                queries.append(try authorizer.authorize(try parser.add(dictionary)))
            }
            let all = queries
            return .work { state, _ throws(KeychainError) in
                .results(
                    try state.vault.addAll(
                        all,
                        conversation,
                        &state.session,
                        duplicates: duplicates
                    )
                )
            }
        }
    }

    func makeElementKey(
        _ dictionary: AttributeDictionary,
        _ isPermanent: Bool,
        _ publicHalf: AttributeDictionary?,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ElementKeyReply {
        try serve(.add, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.add(dictionary))
            var other: Authorized<AddQuery>?
            if let publicHalf { other = try authorizer.authorize(try parser.add(publicHalf)) }
            let publicQuery = other
            return .work { state, findings throws(KeychainError) in
                .made(
                    try state.vault.makeElementKey(
                        query,
                        conversation,
                        &state.session,
                        isPermanent: isPermanent,
                        publicHalf: publicQuery,
                        findings: &findings
                    )
                )
            }
        }
    }

    func replaceAccessControl(
        _ dictionary: AttributeDictionary,
        _ new: (flags: AccessControl.Flags, protection: ProtectionClass?),
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.update, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let parsed = try parser.replacement(dictionary, protection: new.protection)
            let query = try authorizer.authorize(parsed)
            return .work { state, findings throws(KeychainError) in
                try state.vault.replaceAccessControl(
                    query,
                    new.flags,
                    conversation,
                    &state.session,
                    findings: &findings
                )
            }
        }
    }
}
