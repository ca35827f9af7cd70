import DataProtection
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

// Attempts at the passcode: counted under the lock, stretched with no lock held, and made under the
// lock. One is made at a time, so that a right passcode is never taken for a wrong one.
//
// Source: requirement SIM-09; Documentation/Spec/keybag.md §4.
extension Engine {
    package func unlock(passcode: SharedSecret) throws(KeychainError) {
        try inAttemptTurn { () throws(KeychainError) in try unlockInTurn(passcode: passcode) }
    }

    /// The same for whoever has the turn already.
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

    /// Lets attempts at the keychain be made one at a time, in all processes; to be nested in none.
    ///
    /// Counted is what is being tried as well. Without turns, right passcodes that are tried at the
    /// same time would be refused like as many wrong ones. The turn guards nothing: who waits for
    /// too long goes on without it, and each attempt is counted all the same.
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

    /// Tries a passcode, which is stretched with no lock held: that takes up to a second.
    ///
    /// - Parameters:
    ///   - passcode: What was typed.
    ///   - begin: Counts an attempt, durably; nil for none to make.
    ///   - finish: Makes it; another attempt if there is another passcode by now.
    /// - Throws: What counting, stretching and making the attempt throw.
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
