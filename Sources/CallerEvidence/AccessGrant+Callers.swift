import KeychainModel

extension CallerJudge {
    /// Returns the groups of the grants that a person gave to this caller, in their order.
    package func groups(
        granted grants: [AccessGrant],
        to evidence: Evidence,
        accountName: String?
    ) -> [String] {
        let identities = identities(of: evidence, accountName: accountName)
        return grants.filter { isMeant(by: $0, evidence, identities) }.map(\.group)
    }

    /// Returns the caller's rights, together with those that a person granted.
    package func entitlements(
        of caller: JudgedCaller,
        with grants: [AccessGrant],
        accountName: String?
    ) -> Entitlements {
        let groups = groups(granted: grants, to: caller.evidence, accountName: accountName)
        var entitlements = caller.entitlements
        guard !groups.isEmpty else { return entitlements }
        // New items must not end up in a shared group only because the group was granted.
        if entitlements.keychainAccessGroups.isEmpty,
            let own = entitlements.applicationIdentifier
        {
            entitlements.keychainAccessGroups = [own]
        }
        let known = Set(entitlements.keychainAccessGroups)
        entitlements.keychainAccessGroups += groups.filter { !known.contains($0) }
        return entitlements
    }

    /// Whether a grant is for the process.
    ///
    /// A grant that is bound to a digest counts for any path and owner of the file: the digested
    /// content cannot be replaced. Any other grant needs a path that the account cannot replace.
    private func isMeant(
        by grant: AccessGrant,
        _ evidence: Evidence,
        _ identities: [Identity]
    ) -> Bool {
        if let digest = grant.digest {
            guard let actual = evidence.executable?.digest, actual == digest else { return false }
            if case .program(let path) = grant.program {
                return evidence.isDigested(path)
            }
        }
        guard let identity = identities.first(where: { $0.selector.isSame(as: grant.program) })
        else { return false }
        return identity.isAccount || identity.level >= .observed
    }
}

extension Evidence {
    /// Whether the digest is an identity of its own, at the path that the kernel reports.
    fileprivate func isDigested(_ path: String) -> Bool {
        guard let executable, executable.path.utf8.elementsEqual(path.utf8) else { return false }
        let weaknesses = programWeaknesses(isRegistered: true, isSeparateAccount: true)
            .filter { $0 != .absent }
        return !isSandboxed && weaknesses.level(atBest: .verified) >= .observed
    }
}
