import KeychainModel
import Secrets

/// The contexts that have ended, for calls that were made with them before.
///
/// An end is a message of its own, and may arrive before a call that was sent earlier. So this
/// keeps the latest ends, and the ends of contexts in use for as long as their calls take.
final class ContextEnds: Sendable {
    private struct State: Sendable {
        /// The contexts that ended last, oldest first.
        var latest: [SessionID] = []
        /// The contexts of calls in progress: the number of calls, and whether the context has
        /// ended.
        var used: [SessionID: (callCount: Int, hasEnded: Bool)] = [:]
    }

    /// A call arrives before this many further contexts have ended.
    private static let latestLimit = 64

    private let state = AdaptiveMutex(State())

    func end(_ context: SessionID) {
        state.withLock { state in
            state.used[context]?.hasEnded = true
            if state.latest.count >= Self.latestLimit { state.latest.removeFirst() }
            state.latest.append(context)
        }
    }

    /// Whether a context ended before or during a call that uses it.
    func hasEnded(_ context: ContextReference) -> Bool {
        if context.isInvalidated { return true }
        return state.withLock { state in
            state.used[context.session]?.hasEnded == true
                || state.latest.contains(context.session)
        }
    }

    fileprivate func begin(_ context: SessionID) {
        state.withLock { state in
            let hasEnded = state.latest.contains(context)
            state.used[context, default: (0, hasEnded)].callCount += 1
        }
    }

    fileprivate func leave(_ context: SessionID) {
        state.withLock { state in
            guard let use = state.used[context] else { return }
            state.used[context] = use.callCount > 1 ? (use.callCount - 1, use.hasEnded) : nil
        }
    }
}

/// A call's use of its context; it ends with the call.
final class ContextUse: Sendable {
    let context: ContextReference
    private let ends: ContextEnds

    init(_ context: ContextReference, _ ends: ContextEnds) {
        self.context = context
        self.ends = ends
        ends.begin(context.session)
    }

    deinit { ends.leave(context.session) }

    var hasEnded: Bool { ends.hasEnded(context) }
}
