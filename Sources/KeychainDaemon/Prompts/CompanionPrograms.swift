import CallerEvidence
import KeychainModel

/// One of our programs with a special right.
package enum Companion: String, Sendable, Hashable {
    /// Shows prompts, and so receives passcodes.
    case agent = "keychain-agent"
    /// Delivers the login password, even while a screen is locked.
    case login = "keychain-pam"

    /// Its application identifier in policy files, which is also its file's name.
    package var applicationIdentifier: String { rawValue }

    fileprivate var deed: String {
        switch self {
        case .agent: "show prompts"
        case .login: "hand over a login password"
        }
    }
}

/// The way in which a daemon recognizes our programs.
package enum CompanionPrograms: Sendable, Hashable {
    /// A verified program to which root's policy assigns the application identifier.
    case verified
    /// The program of that name in this directory, beside the daemon, at any level of evidence.
    ///
    /// An attacker who can replace it can also replace the daemon. A daemon of one account cannot
    /// defend itself against programs of the account anyway.
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

    /// Throws for any other program.
    ///
    /// - Throws: `errSecMissingEntitlement`, with the missing condition.
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
