/// A reason why a process cannot be told from other programs of its account, or only partly.
///
/// - Source: Documentation/Spec/evidence.md §3.
enum Weakness: Sendable, Hashable {
    // The process has no identity at all.
    case unreadable
    case traced
    case severalAccounts
    case otherUserNamespace
    case foreignCode(String)
    case absent
    case interpreter(String)
    case replaceable(String)
    case insecurelyExecuted
    case foreignConnection
    // The process has an identity, which another program of the account can imitate.
    case sharedAccount
    case notRootOwned(String)
    case unprotected(String)

    /// The highest level that an identity with the weakness reaches.
    var level: EvidenceLevel {
        switch self {
        case .unreadable, .traced, .severalAccounts, .otherUserNamespace, .foreignCode, .absent,
            .interpreter, .replaceable, .insecurelyExecuted, .foreignConnection:
            .nobody
        case .sharedAccount, .notRootOwned, .unprotected: .observed
        }
    }

    /// The weakness as a sentence for people.
    var sentence: String {
        switch self {
        case .unreadable: "The daemon cannot see which program this is."
        case .traced: "A debugger is attached to the process, and could act in its name."
        case .severalAccounts: "The process has the rights of more than one account."
        case .otherUserNamespace:
            "The process is in a user namespace, where its account chooses files and credentials."
        case .foreignCode(let path):
            "The process runs code from \(path), which programs of the account can change."
        case .absent:
            """
            The daemon does not find the running file at its path: it was deleted, replaced or \
            hidden.
            """
        case .interpreter(let path):
            "\(path) runs the programs of others, so it says nothing about this one."
        case .replaceable(let path):
            "Programs of the account can replace \(path), and no policy names it."
        case .sharedAccount:
            "The daemon runs as the same account, so it cannot keep programs of the account apart."
        case .notRootOwned(let path):
            "An account other than root can replace \(path) or a directory above it."
        case .unprotected(let path):
            "\(path) is not protected; an administrator can run `keychainctl protect \(path)`."
        case .insecurelyExecuted:
            """
            The program is protected, and was started without its protection: programs of the \
            account can trace it and put code into it.
            """
        case .foreignConnection:
            """
            Another program opened the connection of this protected program, and could make it \
            send requests that are not its own.
            """
        }
    }
}

extension Evidence {
    /// Returns the weaknesses of the program as identified by its path; empty if it is verified.
    ///
    /// - Parameters:
    ///   - isRegistered: Whether a policy names the path, so that the account may own the file.
    ///   - isSeparateAccount: Whether the daemon runs as an account of its own.
    /// - Returns: The weaknesses that keep the program from the next level.
    func programWeaknesses(isRegistered: Bool, isSeparateAccount: Bool) -> [Weakness] {
        guard let executable else { return [.unreadable] }
        var found = processWeaknesses
        if let path = foreignMappings.first { found.append(.foreignCode(path)) }
        if !executable.isPresent { found.append(.absent) }
        let path = executable.path
        if Interpreters.contain(path: path) { found.append(.interpreter(path)) }
        if executable.isReplaceable, !isRegistered { found.append(.replaceable(path)) }
        // The items of a protected program must not go to one that the account got into.
        if isSeparateAccount, executable.isProtected, !isExecutedSecurely {
            found.append(.insecurelyExecuted)
        }
        if isSeparateAccount, executable.isProtected, isExecutedSecurely, isConnectionForeign {
            found.append(.foreignConnection)
        }
        guard found.isEmpty else { return found }
        if !isSeparateAccount { return [.sharedAccount] }
        if !executable.isRootOwned { found.append(.notRootOwned(path)) }
        if !executable.hasClientGroup { found.append(.unprotected(path)) }
        return found
    }

    /// The weaknesses of the process, for any file that it executes.
    private var processWeaknesses: [Weakness] {
        var found: [Weakness] = []
        if isTraced { found.append(.traced) }
        if hasSeveralAccounts { found.append(.severalAccounts) }
        if isInOtherUserNamespace, !isSandboxed { found.append(.otherUserNamespace) }
        return found
    }

    /// Returns the weaknesses of the sandbox as an identity.
    ///
    /// A process with a label can contain code of the account. Flatpaks and Snaps that the account
    /// installed consist of nothing else.
    func confinementWeaknesses(_ confinement: Confinement) -> [Weakness] {
        var found = processWeaknesses
        if case .label = confinement, let path = foreignMappings.first {
            found.append(.foreignCode(path))
        }
        return found
    }

    /// Whether the process is in a Flatpak or Snap, and must not get the groups of the account's
    /// programs.
    var isSandboxed: Bool {
        switch confinement {
        case .flatpak, .snap: true
        case .label, nil: false
        }
    }

    /// Whether the account is a service's and not a person's, so that only its service runs as it.
    ///
    /// - Source: systemd's "Users, Groups, UIDs and GIDs on systemd Systems": system accounts end
    ///   at 999, and `DynamicUser=` takes from 61184 to 65519.
    var isServiceAccount: Bool { userID < 1000 || (61184...65519).contains(userID) }
}

extension ExecutableEvidence {
    /// Whether its account can neither replace it nor, if it is executed securely, get into it.
    fileprivate var isProtected: Bool { isPresent && isRootOwned && hasClientGroup }
}

extension [Weakness] {
    /// Returns the level that all of them permit; `best` if there are none.
    func level(atBest best: EvidenceLevel) -> EvidenceLevel {
        Swift.min(best, map(\.level).min() ?? best)
    }
}
