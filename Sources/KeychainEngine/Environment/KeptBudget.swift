import KeychainModel
import Secrets

// Definitions  "kept": state that outlives the call that made it, because a program may return
//              to it: proofs of contexts, and work in portions.

/// The memory limit for state that programs keep in a daemon's engines between their calls.
///
/// - Source: SECURITY.md, "Resources".
package final class KeptBudget: Sendable {
    /// The usual limit for all accounts together, in bytes.
    package static let usualLimit = 64 << 20

    private let shares: AdaptiveMutex<ByteShares>

    /// - Parameter limit: The limit for all accounts together, in bytes.
    package init(limit: Int = usualLimit) { shares = AdaptiveMutex(ByteShares(limit: limit)) }

    /// Reserves memory until the place is released.
    ///
    /// - Throws: `errSecAllocate` if the account's share is used up.
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

/// Reserved memory, released with the last reference.
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
    /// Reserves memory for kept state; returns nil if there is no limit.
    func place(_ byteCount: Int) throws(KeychainError) -> KeptPlace? {
        try kept?.place(byteCount, for: person)
    }
}
