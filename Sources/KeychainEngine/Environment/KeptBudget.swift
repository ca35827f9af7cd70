import KeychainModel
import Secrets

// Definitions  "kept": what outlives the call that made it, because a program may come back to it:
//              proofs of contexts, and work in portions.

/// How much memory programs may make the engines of a daemon keep between their calls.
///
/// - Source: SECURITY.md, "Resources".
package final class KeptBudget: Sendable {
    /// The bytes of all persons in all.
    package static let usualLimit = 64 << 20

    private let shares: AdaptiveMutex<ByteShares>

    /// - Parameter limit: The bytes of all persons in all.
    package init(limit: Int = usualLimit) { shares = AdaptiveMutex(ByteShares(limit: limit)) }

    /// Reserves room until the place ends.
    ///
    /// - Throws: `errSecAllocate` for more than the person may have now.
    func place(_ byteCount: Int, for person: UInt32) throws(KeychainError) -> KeptPlace {
        guard let share = shares.withLock({ $0.reserve(byteCount, for: person) }) else {
            return KeptPlace(self, byteCount, person)
        }
        throw KeychainError(
            .allocate,
            "the account's programs keep as many proofs and as much work open as fit into the"
                + " \(share >> 10) KiB that they may have now: invalidate contexts, or end backups"
                + " and checks, that are not needed any more"
        )
    }

    fileprivate func release(_ byteCount: Int, for person: UInt32) {
        shares.withLock { $0.release(byteCount, for: person) }
    }
}

/// Room for something that is kept; it ends with the value.
final class KeptPlace: Sendable {
    private let budget: KeptBudget
    private let byteCount: Int
    private let person: UInt32

    fileprivate init(_ budget: KeptBudget, _ byteCount: Int, _ person: UInt32) {
        self.budget = budget
        self.byteCount = byteCount
        self.person = person
    }

    deinit { budget.release(byteCount, for: person) }
}

extension EngineEnvironment {
    /// Room for something that is kept; nil where there is no limit.
    func place(_ byteCount: Int) throws(KeychainError) -> KeptPlace? {
        try kept?.place(byteCount, for: person)
    }
}
