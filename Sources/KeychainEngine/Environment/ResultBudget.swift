import KeychainModel
import Secrets

/// The memory limit for the results of calls until they are on their way to the programs.
///
/// - Source: SECURITY.md, "Resources".
package final class ResultBudget: Sendable {
    /// The usual limit for the results of all accounts together, in bytes.
    package static let usualLimit = 64 << 20

    private let shares: AdaptiveMutex<ByteShares>

    /// - Parameter limit: The limit for the results of all accounts together, in bytes.
    package init(limit: Int = usualLimit) { shares = AdaptiveMutex(ByteShares(limit: limit)) }

    func reserve(_ byteCount: Int, for person: UInt32) throws(KeychainError) {
        guard let share = shares.withLock({ $0.reserve(byteCount, for: person) }) else { return }
        throw KeychainError(
            .allocate,
            "what matches takes more than the \(share >> 20) MiB that a call may hold now: ask for"
                + " fewer items at once"
        )
    }

    func release(_ byteCount: Int, for person: UInt32) {
        shares.withLock { $0.release(byteCount, for: person) }
    }
}
