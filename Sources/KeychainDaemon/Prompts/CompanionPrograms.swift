import CallerEvidence
import KeychainModel

/// A program of ours that may do what others may not.
package enum Companion: String, Sendable, Hashable {
    /// Shows prompts, and so sees passcodes.
    case agent = "keychain-agent"
    /// Hands over the login password, also while a screen is locked.
    case login = "keychain-pam"

    /// Its application identifier in policy files, and its file's name.
    package var applicationIdentifier: String { rawValue }

    fileprivate var deed: String {
        switch self {
        case .agent: "show prompts"
        case .login: "hand over a login password"
        }
    }
}

/// How a daemon knows the programs of ours.
package enum CompanionPrograms: Sendable, Hashable {
    /// Only a verified program to which root's policy gives the application identifier.
    case verified
    /// The program of that name in this directory, beside the daemon, whatever its level: whoever
    /// could replace it could replace the daemon. A daemon of one account cannot hold against
    /// programs of the account anyway.
    case beside(String)

    /// Whether a program is the companion.
    package func accept(_ caller: JudgedCaller, as companion: Companion) -> Bool {
        switch self {
        case .verified:
            return caller.level == .verified
                && caller.entitlements.applicationIdentifier == companion.applicationIdentifier
        case .beside(let directory):
            guard let executable = caller.evidence.executable, !caller.evidence.isTraced else {
                return false
            }
            return executable.isPresent && executable.path == path(of: companion, in: directory)
        }
    }

    /// Refuses any other program.
    ///
    /// - Throws: `errSecMissingEntitlement`, and what it lacks.
    package func require(
        _ caller: JudgedCaller,
        as companion: Companion
    ) throws(KeychainError) {
        guard !accept(caller, as: companion) else { return }
        let accepted =
            switch self {
            case .verified:
                "a verified program with the application identifier"
                    + " \(companion.applicationIdentifier)"
            case .beside(let directory): path(of: companion, in: directory)
            }
        let reason =
            "\(QuotedText.of(caller.name)) (\(caller.level.word)) cannot \(companion.deed): the"
            + " daemon accepts only \(accepted)"
        throw KeychainError(.missingEntitlement, reason)
    }

    private func path(of companion: Companion, in directory: String) -> String {
        directory + "/" + companion.rawValue
    }
}
