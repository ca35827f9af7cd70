import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Setting, changing and removing the passcode. The engine counts and makes attempts under its
// lock, and stretches both the present and the new passcode without a lock.
//
// Source: requirements LCK-07, SIM-09.
extension Engine {
    package func setPasscode(
        _ new: SharedSecret,
        current: SharedSecret?
    ) throws(KeychainError) {
        guard new.secret.byteCount > 0 else { throw KeychainError(DeviceError.emptyPasscode) }
        let surroundings = environment.surroundings()
        while true {
            let (allowed, measure) = try inAttemptTurn { () throws(KeychainError) in
                try allowChange(current, in: surroundings)
            }
            let made = try WaitingClient.outsideTurn { () throws(KeychainError) in
                try stretch(new: new, measure)
            }
            let isSet = try enter(using: allowed) { state throws(KeychainError) in
                try state.setPasscode(made, allowed, in: surroundings)
            }
            if isSet { return }
        }
    }

    /// Authorizes a change with the present passcode; without one, nothing has to be proven.
    ///
    /// - Returns: The authorized change, and the function that measures the cost of a guess.
    private func allowChange(
        _ current: SharedSecret?,
        in surroundings: Surroundings
    ) throws(KeychainError) -> (AllowedChange, @Sendable () -> Argon2id.Cost) {
        let place = current == nil ? nil : try placeOfAttempt()
        var attempt = try enter { state throws(KeychainError) in
            try state.session.beginChange(isCurrentGiven: current != nil)
        }
        while true {
            var stretched: StretchedPasscode?
            if let attempt, let current {
                stretched = try stretch(current, for: attempt, in: place)
            }
            let (outcome, cost) = try enter { state throws(KeychainError) in
                let outcome = try state.withSession { session throws(KeychainError) in
                    try session.allowChange(stretched, in: surroundings)
                }
                return (outcome, state.session.device.passcodeCost)
            }
            switch outcome {
            case .allowed(let change): return (change, cost)
            case .again(let another): attempt = another
            }
        }
    }

    package func removePasscode(current: SharedSecret) throws(KeychainError) {
        try attempt(with: current) { state throws(KeychainError) -> CountedAttempt? in
            guard let attempt = try state.session.beginChange(isCurrentGiven: true) else {
                throw KeychainError(DeviceError.passcodeNotSet)
            }
            return attempt
        } finish: { state, stretched throws(KeychainError) in
            try state.removePasscode(with: stretched)
        }
    }
}
