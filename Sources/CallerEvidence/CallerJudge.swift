import KeychainModel

/// The judge of evidence: it decides the level of a process, and its rights.
///
/// - Source: Documentation/Spec/evidence.md §3 and §4.
package struct CallerJudge: Sendable {
    package let policies: ProgramPolicies
    /// Whether the daemon runs as an account of its own.
    ///
    /// If it does not, programs of the caller's account can read the daemon's files, and no program
    /// is verified.
    package let isSeparateAccount: Bool

    package init(policies: ProgramPolicies, isSeparateAccount: Bool) {
        self.policies = policies
        self.isSeparateAccount = isSeparateAccount
    }

    /// Judges a process.
    ///
    /// - Parameters:
    ///   - evidence: The kernel's evidence of the process.
    ///   - accountName: The name of its account; nil for an account without one.
    /// - Returns: The level, the reasons for it, and the rights without grants.
    package func judge(_ evidence: Evidence, accountName: String?) -> JudgedCaller {
        let identities = identities(of: evidence, accountName: accountName)
        let own = identities.filter { !$0.isAccount }
        let best = own.max { $0.level < $1.level }
        var reasons = best.map { $0.weaknesses.map(\.sentence) } ?? []
        if best == nil { reasons = evidence.namelessReasons }
        if case .some(let best) = best, best.level == .confined {
            reasons.append(Self.confinedReason)
        }
        let matches = identities.compactMap { identity in
            policies.policy(for: identity.selector).map { (identity, $0) }
        }
        for (identity, policy) in matches where identity.level < policy.level {
            reasons.append(
                """
                The policy for \(policy.selector.key) \(policy.selector.value) in \(policy.source) \
                demands the level \(policy.level.word), so it does not apply.
                """
            )
        }
        let applied = matches.filter { $0.0.level >= $0.1.level }
        return JudgedCaller(
            evidence: evidence,
            level: best?.level ?? .nobody,
            reasons: reasons,
            name: evidence.name(best?.selector),
            entitlements: entitlements(
                program: applied.filter { !$0.0.isAccount }.map(\.1),
                account: applied.filter(\.0.isAccount).map(\.1),
                privateGroup: privateGroup(own)
            )
        )
    }

    private static let confinedReason =
        "A program outside the sandbox can pretend to be in it, because the account starts both."

    // MARK: Identities

    /// Returns the selectors by which a policy can name the process, each with its level.
    func identities(of evidence: Evidence, accountName: String?) -> [Identity] {
        if evidence.isSandboxed { return [sandbox(evidence)].compactMap(\.self) }
        var found = [
            program(evidence), sandbox(evidence), unit(evidence),
        ].compactMap(\.self)
        // In a user namespace the account can put anything in front of the program, even a sandbox.
        if let accountName, !evidence.isInOtherUserNamespace, !evidence.hasSeveralAccounts {
            let level = found.map(\.level).max() ?? .nobody
            found.append(
                Identity(
                    selector: .account(accountName),
                    level: evidence.isServiceAccount && isSeparateAccount ? .verified : level,
                    weaknesses: []
                )
            )
        }
        return found
    }

    /// Returns the executable by its path, if the path leads to it.
    private func program(_ evidence: Evidence) -> Identity? {
        guard let executable = evidence.executable, executable.isPresent else { return nil }
        let selector = ProgramSelector.program(executable.path)
        let weaknesses = evidence.programWeaknesses(
            isRegistered: policies.policy(for: selector) != nil,
            isSeparateAccount: isSeparateAccount
        )
        return Identity(
            selector: selector,
            level: weaknesses.level(atBest: .verified),
            weaknesses: weaknesses
        )
    }

    private func sandbox(_ evidence: Evidence) -> Identity? {
        guard let confinement = evidence.confinement else { return nil }
        let weaknesses = evidence.confinementWeaknesses(confinement)
        return Identity(
            selector: confinement.selector,
            level: weaknesses.level(atBest: .confined),
            weaknesses: weaknesses
        )
    }

    /// Returns the unit of a service that has an account of its own.
    ///
    /// A unit that runs as a person's account does not count: it runs commands of the person, as
    /// `cron.service` does for a crontab, and other programs of the person can trace it.
    private func unit(_ evidence: Evidence) -> Identity? {
        guard let unit = evidence.systemUnit, evidence.isServiceAccount,
            !evidence.isInOtherUserNamespace, !evidence.hasSeveralAccounts, !evidence.isTraced
        else { return nil }
        return Identity(
            selector: .unit(unit),
            level: isSeparateAccount ? .verified : .observed,
            weaknesses: isSeparateAccount ? [] : [.sharedAccount]
        )
    }

    // MARK: Rights

    private func entitlements(
        program: [ProgramPolicy],
        account: [ProgramPolicy],
        privateGroup: String?
    ) -> Entitlements {
        let shared = account.flatMap(\.groups)
        if program.isEmpty, let privateGroup {
            return Entitlements(
                applicationIdentifier: privateGroup,
                keychainAccessGroups: shared.isEmpty ? [] : [privateGroup] + shared
            )
        }
        let policies = program + account
        let identifier = policies.lazy.compactMap(\.applicationIdentifier).first
        let groups = policies.flatMap { policy in
            policy.applicationIdentifier == identifier ? policy.accessGroups : policy.groups
        }
        return Entitlements(applicationIdentifier: identifier, keychainAccessGroups: groups)
    }

    /// Returns the group of a program that no policy names; nil for one without an identity.
    ///
    /// The path takes precedence: a program can get a service's unit or a label later, and must
    /// keep its items then.
    private func privateGroup(_ identities: [Identity]) -> String? {
        identities.first { $0.level >= .observed }?.privateGroup
    }
}

/// A way to name a process, with the level that it reaches.
struct Identity: Sendable, Hashable {
    let selector: ProgramSelector
    let level: EvidenceLevel
    let weaknesses: [Weakness]

    var isAccount: Bool {
        if case .account = selector { true } else { false }
    }

    /// The group of only this program: `path:/usr/bin/mailer`, `flatpak:org.example.Mailer`.
    var privateGroup: String {
        if case .program(let path) = selector {
            "path:\(path)"
        } else {
            "\(selector.key):\(selector.value)"
        }
    }
}

extension Confinement {
    /// The selector by which a policy names the sandbox.
    var selector: ProgramSelector {
        switch self {
        case .flatpak(let name): .flatpak(name)
        case .snap(let name): .snap(name)
        case .label(let name): .label(name)
        }
    }
}

extension Evidence {
    /// The reasons why the process has no identity that a policy could name.
    fileprivate var namelessReasons: [String] {
        programWeaknesses(isRegistered: false, isSeparateAccount: true).map(\.sentence)
    }

    /// Returns the name by which people know the process.
    ///
    /// A path that does not lead to the running file is never shown: it may be the path of another
    /// program.
    fileprivate func name(_ selector: ProgramSelector?) -> String {
        switch selector {
        case .program(let path): path
        case .unit(let unit): unit
        case .flatpak(let name): "\(name) (Flatpak)"
        case .snap(let name): "\(name) (Snap)"
        case .label(let name): executable.flatMap { $0.isPresent ? $0.path : nil } ?? name
        case .account, nil: "process \(processID)"
        }
    }
}
