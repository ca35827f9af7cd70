/// The error of a call to the keychain: a status for programs and a reason for people.
///
/// Errors are equal if their statuses are, so that tests compare errors without matching prose.
package struct KeychainError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The cause of an error that the status does not express.
    package enum Cause: Sendable {
        /// The user was not authenticated, or could not be.
        case failure(AuthenticationFailure)
        /// The call needs a prompt first, and can then be repeated.
        case challenge(Challenge)
        /// Another process has rewrapped the rows, and the call can be repeated.
        case otherKeys
        /// The call needs the device's surroundings, and can then be repeated.
        case surroundings
        /// The call needs a password to be stretched, and can then be repeated.
        case stretching(PendingStretching)
        /// The database is damaged in this way.
        case damagedStore(String)
    }

    package let status: SecurityStatus
    package let reason: String
    package let cause: Cause?

    package init(_ status: SecurityStatus, _ reason: String, cause: Cause? = nil) {
        self.status = status
        self.reason = reason
        self.cause = cause
    }

    package static func == (left: KeychainError, right: KeychainError) -> Bool {
        left.status == right.status
    }

    /// `errSecParam (-50): the reason`.
    package var description: String { "\(status.name) (\(status.rawValue)): \(reason)" }

    /// The authentication failure; nil for other errors.
    package var failure: AuthenticationFailure? {
        if case .failure(let failure)? = cause { failure } else { nil }
    }

    /// Whether the keys have to be read again.
    package var isAboutOtherKeys: Bool {
        if case .otherKeys? = cause { true } else { false }
    }

    /// Whether the device's surroundings have to be read first.
    package var isAboutSurroundings: Bool {
        if case .surroundings? = cause { true } else { false }
    }

    /// The password that has to be stretched first; nil for other errors.
    package var stretching: PendingStretching? {
        if case .stretching(let pending)? = cause { pending } else { nil }
    }

    /// Whether the call can be repeated after a prompt, a look at the surroundings or a stretching.
    package var wantsAnotherRound: Bool {
        challenge != nil || isAboutSurroundings || stretching != nil
    }

    /// The damage of the database; nil for other errors.
    package var storeDamage: String? {
        if case .damagedStore(let reason)? = cause { reason } else { nil }
    }

    /// The prompt that the call needs; nil for other errors.
    package var challenge: Challenge? {
        if case .challenge(let challenge)? = cause { challenge } else { nil }
    }
}
