import CallerEvidence

/// Evidence as a starting point: a program that nothing is against.
extension Evidence {
    /// A person's account.
    static let person: UInt32 = 1000
    /// The account of a service.
    static let service: UInt32 = 998

    /// A protected program of a person.
    static var protected: Evidence {
        var evidence = Evidence(userID: person, processID: 77)
        evidence.executable = .mailer
        evidence.isExecutedSecurely = true
        return evidence
    }

    /// The evidence with something changed.
    func with(_ change: (inout Evidence) -> Void) -> Evidence {
        var changed = self
        change(&changed)
        return changed
    }

    /// A program that is not protected.
    static var plain: Evidence {
        protected.with {
            $0.isExecutedSecurely = false
            $0.executable?.hasClientGroup = false
        }
    }
}

extension ExecutableEvidence {
    static var mailer: ExecutableEvidence {
        ExecutableEvidence(
            path: "/usr/bin/mailer",
            device: 1,
            inode: 2,
            digest: mailerDigest,
            isRootOwned: true,
            hasClientGroup: true,
            isReplaceable: false,
            isPresent: true
        )
    }

    static let mailerDigest = [UInt8](repeating: 7, count: 32)
}

extension CallerJudge {
    /// A system daemon's judgement by these policies.
    static func system(_ policies: [ProgramPolicy] = []) -> CallerJudge {
        CallerJudge(policies: ProgramPolicies(policies), isSeparateAccount: true)
    }

    func judge(_ evidence: Evidence) -> JudgedCaller { judge(evidence, accountName: "ann") }
}
