import DataProtection
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

// Attempts at the passcode. The engine counts an attempt under its lock, stretches the passcode
// without a lock, and makes the attempt under the lock. It makes one attempt at a time, so that it
// never takes a right passcode for a wrong one.
//
// Source: requirement SIM-09; Documentation/Spec/keybag.md §4.
extension Engine {
    package func unlock(passcode: SharedSecret) throws(KeychainError) {
        try inAttemptTurn { () throws(KeychainError) in try unlockInTurn(passcode: passcode) }
    }

    /// Unlocks like `unlock(passcode:)`; the caller already holds the turn.
    package func unlockInTurn(passcode: SharedSecret) throws(KeychainError) {
        let surroundings = environment.surroundings()
        try attemptInTurn(with: passcode) { state throws(KeychainError) in
            try state.session.beginUnlock(in: surroundings)
        } finish: { state, stretched throws(KeychainError) in
            try state.withSession { session throws(KeychainError) in
                try session.finishUnlock(with: stretched)
            }
        }
    }

    /// Makes attempts at the keychain one at a time, across all processes; calls must not nest.
    ///
    /// The count includes attempts in progress. Without turns, several right passcodes at the same
    /// time would be refused like as many wrong ones. The turn is no protection: a caller that
    /// waits too long continues without it, and each attempt still counts.
    package func inAttemptTurn<R>(
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        attemptCount.wrappingAdd(1, ordering: .relaxed)
        defer { attemptCount.wrappingSubtract(1, ordering: .relaxed) }
        return try WaitingClient.outsideTurn { () throws(KeychainError) in
            let turn = storage.attemptTurn(while: { WaitingClient.look?.isThere != false })
            defer { withExtendedLifetime(turn) {} }
            return try body()
        }
    }

    /// Tries a passcode, and stretches it without a lock, because that takes up to a second.
    ///
    /// - Parameters:
    ///   - passcode: The passcode that the user typed.
    ///   - begin: Counts an attempt durably; returns nil if there is nothing to attempt.
    ///   - finish: Makes the attempt; returns another one if the passcode changed meanwhile.
    /// - Throws: The errors of counting, stretching and making the attempt.
    func attempt(
        with passcode: SharedSecret,
        begin: (inout EngineState) throws(KeychainError) -> CountedAttempt?,
        finish: (inout EngineState, StretchedPasscode) throws(KeychainError) -> CountedAttempt?
    ) throws(KeychainError) {
        try inAttemptTurn { () throws(KeychainError) in
            try attemptInTurn(with: passcode, begin: begin, finish: finish)
        }
    }

    private func attemptInTurn(
        with passcode: SharedSecret,
        begin: (inout EngineState) throws(KeychainError) -> CountedAttempt?,
        finish: (inout EngineState, StretchedPasscode) throws(KeychainError) -> CountedAttempt?
    ) throws(KeychainError) {
        let place = try placeOfAttempt()
        var next = try enter(begin)
        while let attempt = next {
            let stretched = try stretch(passcode, for: attempt, in: place)
            next = try enter { state throws(KeychainError) in try finish(&state, stretched) }
        }
    }
}
