import KeychainModel
import Secrets

// Invariant    What the calls of all persons hold never exceeds the limit, and nobody holds more
//              than half of what the others leave.

/// How much memory what calls found may take, until it is on its way to the programs.
///
/// - Source: SECURITY.md, "Resources".
package final class ResultBudget: Sendable {
    private struct State {
        var held: [UInt32: Int] = [:]
        var all = 0
    }

    /// The bytes of all persons' results in all.
    package static let usualLimit = 64 << 20

    private let limit: Int
    private let state = AdaptiveMutex(State())

    /// - Parameter limit: The bytes of all persons' results in all.
    package init(limit: Int = usualLimit) { self.limit = limit }

    func reserve(_ byteCount: Int, for person: UInt32) throws(KeychainError) {
        let share: Int? = state.withLock { state in
            let held = state.held[person] ?? 0
            let share = (limit - (state.all - held)) / 2
            guard held + byteCount <= share else { return share }
            state.held[person] = held + byteCount
            state.all += byteCount
            return nil
        }
        guard let share else { return }
        throw KeychainError(
            .allocate,
            "what matches takes more than the \(share >> 20) MiB that a call may hold now: ask for"
                + " fewer items at once"
        )
    }

    func release(_ byteCount: Int, for person: UInt32) {
        state.withLock { state in
            state.all -= byteCount
            state.held[person] = (state.held[person] ?? 0) - byteCount
            if state.held[person] == 0 { state.held[person] = nil }
        }
    }
}
