import CallerEvidence
import KeychainModel
import TestSupport
import Testing

private let demanding = ProgramPolicy(
    selector: .program("/usr/bin/mailer"),
    level: .verified,
    applicationIdentifier: "mailer",
    accessGroups: ["mail"],
    source: "/etc/keychain/programs.d/mailer.json"
)
private let everybody = ProgramPolicy(selector: .account("ann"), accessGroups: ["shared"])

/// The groups in order; the first one gets new items.
private func groups(
    _ evidence: Evidence,
    _ policies: ProgramPolicy...
) -> [String] {
    CallerJudge.system(policies).judge(evidence).entitlements.accessGroups(on: .host)
}

@Suite(.requirement("DMN-06")) struct `The rights of a program` {
    @Test func `are those of its policy at the demanded level`() {
        #expect(groups(.protected, demanding) == ["mail", "mailer"])
    }

    @Test func `are its private group below that level, with a reason that names the file`() {
        #expect(groups(.plain, demanding) == ["path:/usr/bin/mailer"])
        let reasons = CallerJudge.system([demanding]).judge(.plain).reasons
        #expect(reasons.contains { $0.contains("/etc/keychain/programs.d/mailer.json") })
    }

    @Test func `are one group by its path where no policy names it`() {
        #expect(groups(.plain) == ["path:/usr/bin/mailer"])
        let judged = CallerJudge.system().judge(.plain)
        #expect(judged.entitlements.applicationIdentifier == "path:/usr/bin/mailer")
    }

    @Test func `are none for a program that is nobody`() {
        let traced = Evidence.protected.with { $0.isTraced = true }
        #expect(groups(traced, demanding) == [])
    }

    @Test func `are the account's for a program that is nobody`() {
        let script = Evidence.plain.with { $0.executable?.path = "/bin/sh" }
        #expect(groups(script, demanding, everybody) == ["shared"])
    }

    @Test func `put new items into the private group, although the account shares one`() {
        #expect(groups(.plain, everybody) == ["path:/usr/bin/mailer", "shared"])
    }

    @Test func `are a sandbox's own, and nothing of the path or the account`() {
        let sandboxed = Evidence.protected.with { $0.confinement = .flatpak("org.example.Mailer") }
        #expect(groups(sandboxed, demanding, everybody) == ["flatpak:org.example.Mailer"])
        let policy = ProgramPolicy(selector: .flatpak("org.example.Mailer"), accessGroups: ["mail"])
        #expect(groups(sandboxed, policy, everybody) == ["mail"])
    }

    @Test func `are nothing of the account in another user namespace`() {
        let nested = Evidence.protected.with { $0.isInOtherUserNamespace = true }
        #expect(groups(nested, demanding, everybody) == [])
    }

    @Test func `of a person's cron job are not those of a policy for its executable`() {
        let job = Evidence.plain.with { $0.systemUnit = "cron.service" }
        let unit = ProgramPolicy(selector: .unit("cron.service"), accessGroups: ["jobs"])
        #expect(groups(job, demanding, unit) == ["path:/usr/bin/mailer"])
    }

    @Test func `of a service are those of its unit`() {
        let service = Evidence.plain.with {
            $0.userID = Evidence.service
            $0.systemUnit = "shop.service"
        }
        let unit = ProgramPolicy(selector: .unit("shop.service"), accessGroups: ["shop"])
        #expect(groups(service, unit) == ["shop"])
        let script = service.with { $0.executable?.path = "/usr/bin/python3" }
        #expect(groups(script, unit) == ["shop"])
        #expect(groups(script) == ["unit:shop.service"])
    }

    @Test func `of a service's account are verified as a whole`() {
        let service = Evidence.plain.with { $0.userID = Evidence.service }
        let policy = ProgramPolicy(
            selector: .account("ann"),
            level: .verified,
            accessGroups: ["shop"]
        )
        #expect(groups(service, policy).contains("shop"))
        #expect(!groups(.plain, policy).contains("shop"))
    }

    @Test func `compare paths byte for byte`() {
        let composed = ProgramPolicy(selector: .program("/opt/caf\u{E9}"), level: .observed)
        let decomposed = Evidence.plain.with { $0.executable?.path = "/opt/cafe\u{301}" }
        #expect(groups(decomposed, composed) == ["path:/opt/cafe\u{301}"])
    }

    @Test func `are those of the later policy of the same program`() {
        let later = ProgramPolicy(
            selector: .program("/usr/bin/mailer"),
            level: .observed,
            accessGroups: ["later"]
        )
        #expect(groups(.protected, demanding, later) == ["later"])
    }
}

/// A grant and evidence, and whether the grant is meant for the process.
private struct GrantRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let grant: AccessGrant
    let evidence: Evidence
    let applies: Bool

    init(
        _ name: String,
        _ program: ProgramSelector,
        digest: [UInt8]? = nil,
        applies: Bool,
        _ change: (inout Evidence) -> Void = { _ in }
    ) {
        testDescription = name
        grant = AccessGrant(group: "photos", program: program, digest: digest)
        self.applies = applies
        evidence = .plain.with(change)
    }

    private static let mailer = ProgramSelector.program("/usr/bin/mailer")
    private static let other = [UInt8](repeating: 8, count: 32)

    static let rows = [
        GrantRow("to a path", mailer, applies: true),
        GrantRow("to another path", .program("/usr/bin/other"), applies: false),
        GrantRow("to a path that the account can replace", mailer, applies: false) {
            $0.executable?.isReplaceable = true
        },
        GrantRow("to a replaceable path by its digest", mailer, digest: digest, applies: true) {
            $0.executable?.isReplaceable = true
            $0.executable?.isPresent = false
        },
        GrantRow("to another digest", mailer, digest: other, applies: false),
        GrantRow("by a digest that is not known", mailer, digest: digest, applies: false) {
            $0.executable?.digest = nil
        },
        GrantRow(
            "by the digest of an interpreter",
            .program("/bin/sh"),
            digest: digest,
            applies: false
        ) {
            $0.executable?.path = "/bin/sh"
        },
        GrantRow(
            "by a digest to a program with foreign code",
            mailer,
            digest: digest,
            applies: false
        ) {
            $0.foreignMappings = ["/tmp/x.so"]
        },
        GrantRow(
            "by a digest to the same file in a sandbox",
            mailer,
            digest: digest,
            applies: false
        ) {
            $0.confinement = .flatpak("org.example.Mailer")
        },
        GrantRow("to a Flatpak", .flatpak("org.example.Mailer"), applies: true) {
            $0.confinement = .flatpak("org.example.Mailer")
        },
        GrantRow("to another Flatpak", .flatpak("org.example.Mailer"), applies: false) {
            $0.confinement = .flatpak("org.example.Other")
        },
        GrantRow("to the account, for a script", .account("ann"), applies: true) {
            $0.executable?.path = "/bin/sh"
        },
        GrantRow("to the account, for a Flatpak", .account("ann"), applies: false) {
            $0.confinement = .flatpak("org.example.Mailer")
        },
        GrantRow("to another account", .account("bob"), applies: false),
    ]

    private static let digest = ExecutableEvidence.mailerDigest
}

@Suite struct `A grant` {
    @Test(.requirement("DMN-06"), arguments: GrantRow.rows)
    fileprivate func `is meant for whom it names and nobody else`(row: GrantRow) {
        let judge = CallerJudge.system()
        let granted = judge.groups(granted: [row.grant], to: row.evidence, accountName: "ann")
        #expect(granted == (row.applies ? ["photos"] : []))
    }

    @Test func `leaves new items in the group that they went to before`() {
        let judge = CallerJudge.system()
        let caller = judge.judge(.plain)
        let grant = AccessGrant(group: "photos", program: .program("/usr/bin/mailer"))
        let entitlements = judge.entitlements(of: caller, with: [grant], accountName: "ann")
        #expect(entitlements.accessGroups(on: .host) == ["path:/usr/bin/mailer", "photos"])
    }
}
