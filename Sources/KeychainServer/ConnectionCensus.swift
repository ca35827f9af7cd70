import Secrets
import Synchronization

/// Counts connections, and what requests and replies hold, by account.
final class ConnectionCensus: Sendable {
    private struct Account {
        var connectionCount = 0
        var requestByteCount = 0
        var replyByteCount = 0
        /// For calls whose reply may be large: one at a time.
        let turn = LargeCallTurn()
    }

    private struct State {
        var accounts: [UInt32: Account] = [:]
        var connectionCount = 0
    }

    private let limits: ServerLimits
    private let state = AdaptiveMutex(State())

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Why a connection is one too many.
    enum Refusal { case account, server }

    /// Counts a connection in.
    ///
    /// - Returns: Why it is one too many; nil where it counts from now on.
    func enter(_ userID: UInt32) -> Refusal? {
        state.withLock { state in
            guard state.connectionCount < limits.connections else { return .server }
            let count = state.accounts[userID]?.connectionCount ?? 0
            guard count < limits.connectionsPerAccount else { return .account }
            state.accounts[userID, default: Account()].connectionCount += 1
            state.connectionCount += 1
            return nil
        }
    }

    func leave(_ userID: UInt32) {
        state.withLock { state in
            state.connectionCount -= 1
            state.accounts[userID]?.connectionCount -= 1
            if state.accounts[userID]?.connectionCount == 0 { state.accounts[userID] = nil }
        }
    }

    /// Reserves memory for a request.
    ///
    /// - Returns: How much to give back; nil if the account holds too much already.
    func reserve(_ byteCount: Int, for userID: UInt32) -> Int? {
        guard byteCount > limits.smallRequestByteCount else { return 0 }
        return state.withLock { state in
            let held = state.accounts[userID]?.requestByteCount ?? 0
            guard byteCount <= limits.requestByteCount - held else { return nil }
            state.accounts[userID]?.requestByteCount += byteCount
            return byteCount
        }
    }

    func release(_ byteCount: Int, for userID: UInt32) {
        guard byteCount > 0 else { return }
        state.withLock { $0.accounts[userID]?.requestByteCount -= byteCount }
    }

    /// Reserves memory for a reply until it is read.
    ///
    /// - Returns: How much to give back; nil if replies of the account hold too much already.
    func reserveReply(_ byteCount: Int, for userID: UInt32) -> Int? {
        guard byteCount > limits.smallReplyByteCount else { return 0 }
        return state.withLock { state in
            let held = state.accounts[userID]?.replyByteCount ?? 0
            guard held == 0 || byteCount <= limits.replyByteCount - held else { return nil }
            state.accounts[userID]?.replyByteCount += byteCount
            return byteCount
        }
    }

    func releaseReply(_ byteCount: Int, for userID: UInt32) {
        guard byteCount > 0 else { return }
        state.withLock { $0.accounts[userID]?.replyByteCount -= byteCount }
    }

    /// The turn of an account for calls whose reply may be large.
    func turn(of userID: UInt32) -> LargeCallTurn? {
        state.withLock { $0.accounts[userID]?.turn }
    }

    var connectionCount: Int { state.withLock { $0.connectionCount } }
}

/// Lets one call at a time make a reply that may be large: their results would add up otherwise.
final class LargeCallTurn: Sendable {
    private let turn = Mutex<Void>(())

    /// Works while no other call of the account does.
    func take<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
        let result: Result<R, E> = turn.withLock { _ in
            do throws(E) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
