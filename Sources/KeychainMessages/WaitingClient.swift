/// The client program that waits for the call on this thread.
package enum WaitingClient {
    /// A check whether the client is still there.
    ///
    /// It is a struct because the optimizer of Swift 6.3 breaks a plain task-local closure.
    package struct Look: Sendable {
        private let look: @Sendable () -> Bool

        package init(_ look: @escaping @Sendable () -> Bool) { self.look = look }

        package var isThere: Bool { look() }
    }

    /// The check for the client; nil if that is unknown, as in the client itself.
    @TaskLocal package static var look: Look?

    /// The turn of the call among those of its account; nil if calls take no turns.
    @TaskLocal package static var turn: (any CallTurn)?

    /// Runs `body` without the turn, while another limit applies to the work.
    package static func outsideTurn<R: ~Copyable, E>(_ body: () throws(E) -> R) throws(E) -> R {
        guard let turn else { return try body() }
        turn.leave()
        defer { turn.enter() }
        return try body()
    }
}

/// The turn of a call among those of its account.
package protocol CallTurn: Sendable {
    /// Waits for the turn.
    func enter()
    func leave()
}
