/// The program that waits for the call of this thread.
package enum WaitingClient {
    /// Looks for the program; the optimizer of Swift 6.3 breaks a task-local closure outside of a
    /// struct.
    package struct Look: Sendable {
        private let look: @Sendable () -> Bool

        package init(_ look: @escaping @Sendable () -> Bool) { self.look = look }

        package var isThere: Bool { look() }
    }

    /// Looks whether it is still there; nil where nobody can tell, as in the program itself.
    @TaskLocal package static var look: Look?

    /// The turn that the call has among those of its person; nil where calls take no turns.
    @TaskLocal package static var turn: (any CallTurn)?

    /// Works without the turn, as while something else limits how much is done at a time.
    package static func outsideTurn<R: ~Copyable, E>(_ body: () throws(E) -> R) throws(E) -> R {
        guard let turn else { return try body() }
        turn.leave()
        defer { turn.enter() }
        return try body()
    }
}

/// The turn of a call among those of its person.
package protocol CallTurn: Sendable {
    /// Waits for the turn.
    func enter()
    func leave()
}
