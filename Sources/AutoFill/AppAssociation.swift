/// The association between an app and the sites whose passwords AutoFill offers to it.
///
/// Three parts must agree: an internet password of the site, an associated domain in the app's
/// entitlements, and the site's association file with the app in it. If one is missing, AutoFill
/// offers nothing, and the answer names the missing part.
package struct AppAssociation: Sendable {
    /// The application identifier with its prefix: `TEAMID.com.example.app`.
    package let appIdentifier: String
    /// The entries of the entitlement, for all services.
    package let entries: [String]
    /// The modes that are switched on in the device's settings.
    package let modes: Set<AssociatedDomain.Mode>
    /// Returns the bytes of a site's association file; nil if the site has none.
    package let file: @Sendable (HostName) -> [UInt8]?

    package init(
        appIdentifier: String,
        entries: [String],
        modes: Set<AssociatedDomain.Mode> = [],
        file: @escaping @Sendable (HostName) -> [UInt8]?
    ) {
        self.appIdentifier = appIdentifier
        self.entries = entries
        self.modes = modes
        self.file = file
    }

    /// Returns the items for one domain, or for all domains of the app.
    ///
    /// The server of an item must be the domain itself, or below a wildcard.
    package func answer(
        for domain: String? = nil,
        among candidates: [AutoFillCandidate]
    ) -> AutoFillAnswer {
        do throws(AutoFillRefusal) {
            return offers(try approved(for: domain), domain, candidates)
        } catch {
            return AutoFillAnswer(refusing: error)
        }
    }

    /// Returns the entries that cover a domain, and whose sites list the app.
    ///
    /// - Throws: The reason of the last entry that failed, if all did.
    package func approved(for domain: String?) throws(AutoFillRefusal) -> [AssociatedDomain] {
        var failure: AutoFillRefusal?
        var known: [AssociatedDomain] = []
        for entry in entries {
            do throws(AutoFillRefusal) {
                known.append(try AssociatedDomain(entry))
            } catch {
                failure = error
            }
        }
        known.removeAll { $0.service != AssociatedDomain.webCredentials }
        guard !known.isEmpty else { throw failure ?? .noAssociatedDomains }
        if let domain {
            let host = try HostName(domain)
            known.removeAll { !$0.covers(host) }
            guard !known.isEmpty else { throw .domainNotAssociated(host.ascii) }
        }
        var approved: [AssociatedDomain] = []
        for entry in known {
            do throws(AutoFillRefusal) {
                try check(entry)
                approved.append(entry)
            } catch {
                failure = error
            }
        }
        guard !approved.isEmpty else { throw failure ?? .noAssociatedDomains }
        return approved
    }

    private func check(_ entry: AssociatedDomain) throws(AutoFillRefusal) {
        let domain = entry.host.ascii
        if let mode = entry.mode, !isOn(mode) { throw .modeIsOff(mode.rawValue, domain: domain) }
        guard let bytes = file(entry.host) else { throw .associationFileMissing(domain) }
        let parsed: AssociationFile
        do throws(AssociationFileError) {
            parsed = try AssociationFile(bytes)
        } catch {
            throw .associationFileNotValid(domain, error)
        }
        guard parsed.lists(app: appIdentifier) else {
            throw .appNotListed(appIdentifier, domain: domain)
        }
    }

    private func isOn(_ mode: AssociatedDomain.Mode) -> Bool {
        modes.contains(mode)
            || mode == .developerAndManaged && !modes.isDisjoint(with: [.developer, .managed])
    }

    private func offers(
        _ approved: [AssociatedDomain],
        _ domain: String?,
        _ candidates: [AutoFillCandidate]
    ) -> AutoFillAnswer {
        let service = WebService(protocolName: "htps", port: nil)
        let wanted = domain.flatMap { try? HostName($0) }
        var answer = AutoFillAnswer()
        for candidate in candidates {
            do throws(AutoFillRefusal) {
                let host = try AutoFillMatcher.host(of: candidate)
                guard approved.contains(where: { $0.covers(host) }), wanted ?? host == host
                else { throw .otherHost }
                try AutoFillMatcher.check(candidate, service, nil)
                answer.matches.append(AutoFillMatch(candidate: candidate, closeness: .exactHost))
            } catch {
                answer.denials.append(AutoFillDenial(candidate: candidate, reason: error))
            }
        }
        answer.matches.sort {
            $0.candidate.modified != $1.candidate.modified
                ? $0.candidate.modified > $1.candidate.modified
                : $0.candidate.account < $1.candidate.account
        }
        return answer
    }
}
