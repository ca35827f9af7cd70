import EngineTestSupport
import KeychainModel
import ModelTestSupport

@testable import KeychainEngine

/// A generic password with pairs, or a search for those that have them.
func paired(
    _ account: String?,
    _ pairs: [String: String],
    _ more: [String: AttributeValue] = [:]
) throws -> AttributeDictionary {
    var item = password(account, service: account == nil ? nil : "mail", more)
    item[.lookupPairs] = .data(try LookupPairs(pairs).encoded)
    return item
}

extension AttributeValues {
    /// The pairs among the attributes of a result.
    var pairs: [String: String]? {
        guard case .data(let bytes)? = self[.lookupPairs] else { return nil }
        return LookupPairs(encoded: bytes)?.pairs
    }
}

extension EngineFixture {
    /// How many digests of pairs there are.
    func pairCount() throws -> Int64 {
        try inside { state throws(KeychainError) in
            try state.vault.store.connection.number("SELECT COUNT(*) FROM lookup_pairs")
        }
    }

    /// How many digests belong to a row that is not there, or to a tombstone.
    func strayPairCount() throws -> Int64 {
        try inside { state throws(KeychainError) in
            try state.vault.store.connection.number(
                """
                SELECT COUNT(*) FROM lookup_pairs
                    WHERE row NOT IN (SELECT row FROM genp WHERE tomb = 0)
                """
            )
        }
    }
}
