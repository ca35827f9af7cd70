/// What a call to the keychain throws: a status for programs and a reason for people.
///
/// Equal by status, so that tests compare errors without matching prose.
package struct KeychainError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What stands behind an error, where the status alone does not tell.
    package enum Cause: Sendable {
        /// A person could not be, or was not, authenticated.
        case failure(AuthenticationFailure)
        /// Somebody has to be asked first; the call may then be made again.
        case challenge(Challenge)
        /// Another process gave the rows other keys meanwhile; the call may then be made again.
        case otherKeys
        /// It takes what is around the device; the call may then be made again.
        case surroundings
        /// It takes a password that has to be stretched first; the call may then be made again.
        case stretching(PendingStretching)
        /// The database is damaged, and how.
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

    /// Why nobody was authenticated; nil for other errors.
    package var failure: AuthenticationFailure? {
        if case .failure(let failure)? = cause { failure } else { nil }
    }

    /// Whether the keys have to be looked at again.
    package var isAboutOtherKeys: Bool {
        if case .otherKeys? = cause { true } else { false }
    }

    /// Whether what is around the device has to be looked at first.
    package var isAboutSurroundings: Bool {
        if case .surroundings? = cause { true } else { false }
    }

    /// What has to be stretched first; nil for other errors.
    package var stretching: PendingStretching? {
        if case .stretching(let pending)? = cause { pending } else { nil }
    }

    /// Whether the call is to be made again once somebody has looked, asked or stretched.
    package var wantsAnotherRound: Bool {
        challenge != nil || isAboutSurroundings || stretching != nil
    }

    /// How the database is damaged; nil for other errors.
    package var storeDamage: String? {
        if case .damagedStore(let reason)? = cause { reason } else { nil }
    }

    /// Whom to ask what; nil for errors that no answer changes.
    package var challenge: Challenge? {
        if case .challenge(let challenge)? = cause { challenge } else { nil }
    }
}
