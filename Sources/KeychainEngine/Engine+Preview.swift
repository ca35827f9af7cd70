import DataProtection
import KeychainModel

// Searches without side effects, for programs that draw a device or explain it.
//
// Source: requirements SIM-20, SIM-22; Documentation/Spec/scenario.md §7.
extension Engine {
    /// Returns the result that a search would have now, without prompts, findings or traces.
    ///
    /// - Parameters:
    ///   - dictionary: The query, as for `copyMatching`.
    ///   - caller: The program that would search.
    /// - Returns: The items that the search would find.
    /// - Throws: The status of the search; a challenge if it would prompt.
    package func preview(
        _ dictionary: AttributeDictionary,
        from caller: Caller
    ) throws(KeychainError) -> ItemResult {
        var parser = QueryParser(.copyMatching, profiles: profiles)
        let authorizer = try Authorizer(caller, on: profiles.system)
        let query = try authorizer.authorize(try parser.select(dictionary))
        return try inRounds(Conversation()) { conversation throws(KeychainError) in
            try enter { state throws(KeychainError) in
                let before = state.vault.recent.withLock { $0 }
                defer { state.vault.recent.withLock { $0 = before } }
                var unheard: [Finding] = []
                return try state.vault.copyMatching(
                    query,
                    conversation,
                    state.session,
                    findings: &unheard
                )
            }
        }
    }

    /// The classes whose key is in memory, most restrictive first.
    package var openClasses: [ProtectionClass] {
        get throws(KeychainError) {
            try enter { state throws(KeychainError) in
                var open: [ProtectionClass] = []
                for row in ProtectionClass.table
                where state.session.device.isAvailable(row.protectionClass) {
                    open.append(row.protectionClass)
                }
                return open
            }
        }
    }
}
