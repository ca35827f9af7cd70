import DataProtection
import KeychainMessages
import KeychainModel

// What has a dictionary: parsed and authorized before the lock is taken.
extension Engine {
    func add(
        _ dictionary: AttributeDictionary,
        _ caller: Caller,
        _ conversation: Conversation
    ) throws(KeychainError) -> ItemReply {
        try serve(.add, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.add(dictionary))
            return .work { rooms, findings throws(KeychainError) in
                .result(
                    try rooms.vault.add(query, conversation, &rooms.session, findings: &findings)
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
            return .work { rooms, findings throws(KeychainError) in
                .result(
                    try rooms.vault.copyMatching(
                        query,
                        conversation,
                        rooms.session,
                        findings: &findings
                    )
                )
            }
        }
    }

    /// A search beside others; nil when it needs the state for itself.
    private func readShared(
        _ query: Authorized<SelectQuery>
    ) throws(KeychainError) -> ItemResult? {
        try rooms.withSharedLock { rooms throws(KeychainError) in
            guard !rooms.hasEnded, let results = rooms.vault.sharedMatches(query, rooms.session)
            else { return nil }
            return try rooms.vault.answer(results, to: query.query)
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
            return .work { rooms, findings throws(KeychainError) in
                try rooms.vault.update(query, conversation, &rooms.session, findings: &findings)
            }
        }
    }

    func delete(
        _ dictionary: AttributeDictionary,
        _ caller: Caller
    ) throws(KeychainError) -> ItemReply {
        try serve(.delete, dictionary, caller) { parser, authorizer throws(KeychainError) in
            let query = try authorizer.authorize(try parser.delete(dictionary))
            return .work { rooms, findings throws(KeychainError) in
                try rooms.vault.delete(query, &rooms.session, findings: &findings)
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
            return .work { rooms, findings throws(KeychainError) in
                .listing(
                    try rooms.vault.list(query, conversation, rooms.session, findings: &findings)
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
            return .work { rooms, _ throws(KeychainError) in
                .results(
                    try rooms.vault.addAll(
                        all,
                        conversation,
                        &rooms.session,
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
            return .work { rooms, findings throws(KeychainError) in
                .made(
                    try rooms.vault.makeElementKey(
                        query,
                        conversation,
                        &rooms.session,
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
            return .work { rooms, findings throws(KeychainError) in
                try rooms.vault.replaceAccessControl(
                    query,
                    new.flags,
                    conversation,
                    &rooms.session,
                    findings: &findings
                )
            }
        }
    }
}
