import CallerEvidence
import TestSupport
import Testing

/// Evidence, and the level that a system daemon gives it.
private struct LevelRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let level: EvidenceLevel
    let evidence: Evidence

    init(_ name: String, _ level: EvidenceLevel, _ evidence: Evidence) {
        testDescription = "\(name) is \(level.word)"
        self.level = level
        self.evidence = evidence
    }

    init(
        _ name: String,
        _ level: EvidenceLevel,
        _ start: Evidence = .protected,
        _ change: (inout Evidence) -> Void
    ) {
        self.init(name, level, start.with(change))
    }

    static let rows: [LevelRow] = programs + weak + sandboxes + units

    private static let programs = [
        LevelRow("a protected program", .verified, .protected),
        LevelRow("a program without the bit", .observed, .plain),
        LevelRow("a protected program that another account can replace", .observed) {
            $0.executable?.isRootOwned = false
        },
    ]

    private static let weak = [
        LevelRow("a program that cannot be read", .nobody) { $0.executable = nil },
        LevelRow("a traced program", .nobody) { $0.isTraced = true },
        LevelRow("a program with the rights of two accounts", .nobody) {
            $0.hasSeveralAccounts = true
        },
        LevelRow("a program in another user namespace", .nobody) {
            $0.isInOtherUserNamespace = true
        },
        LevelRow("a program with foreign code", .nobody) {
            $0.foreignMappings = ["/srv/a/lib.so"]
        },
        LevelRow("a deleted program", .nobody) { $0.executable?.isPresent = false },
        LevelRow("a program that the account can replace", .nobody) {
            $0.executable?.isReplaceable = true
        },
        LevelRow("a protected program that was started without its protection", .nobody) {
            $0.isExecutedSecurely = false
        },
        LevelRow("a protected program on the connection of another one", .nobody) {
            $0.isConnectionForeign = true
        },
        LevelRow("an interpreter", .nobody) { $0.executable?.path = "/usr/bin/python3.11" },
    ]

    private static let sandboxes = [
        LevelRow("a Flatpak", .confined, .plain) {
            $0.confinement = .flatpak("org.example.Mailer")
            $0.isInOtherUserNamespace = true
            $0.executable?.isPresent = false
        },
        LevelRow("a protected program that says to be a Flatpak", .confined) {
            $0.confinement = .flatpak("org.example.Mailer")
        },
        LevelRow("a traced Flatpak", .nobody, .plain) {
            $0.confinement = .flatpak("org.example.Mailer")
            $0.isTraced = true
        },
        LevelRow("a Snap with files of the account", .confined, .plain) {
            $0.confinement = .snap("mailer")
            $0.foreignMappings = ["/srv/a/lib.so"]
        },
        LevelRow("a labelled program", .confined, .plain) { $0.confinement = .label("mailer") },
        LevelRow("a labelled script", .confined, .plain) {
            $0.confinement = .label("script")
            $0.executable?.path = "/usr/bin/perl"
        },
        LevelRow("a labelled program in another user namespace", .nobody, .plain) {
            $0.confinement = .label("mailer")
            $0.isInOtherUserNamespace = true
        },
        LevelRow("a labelled program with foreign code", .nobody, .plain) {
            $0.confinement = .label("mailer")
            $0.foreignMappings = ["/srv/a/lib.so"]
        },
    ]

    private static let units = [
        LevelRow("a service with its own account", .verified, .plain) {
            $0.userID = Evidence.service
            $0.systemUnit = "shop.service"
        },
        LevelRow("a script that is a service with a dynamic account", .verified, .plain) {
            $0.userID = 61184
            $0.systemUnit = "shop.service"
            $0.executable?.path = "/usr/bin/python3"
        },
        LevelRow("a person's cron job", .observed, .plain) { $0.systemUnit = "cron.service" },
        LevelRow("a person's script in a cron job", .nobody, .plain) {
            $0.systemUnit = "cron.service"
            $0.executable?.path = "/bin/bash"
        },
        LevelRow("a traced service", .nobody, .plain) {
            $0.userID = Evidence.service
            $0.systemUnit = "shop.service"
            $0.isTraced = true
        },
        LevelRow("a script of a service's account outside of units", .nobody, .plain) {
            $0.userID = Evidence.service
            $0.executable?.path = "/usr/bin/python3"
        },
    ]
}

@Suite struct `The level of a program` {
    @Test(.requirement("DMN-05"), arguments: LevelRow.rows)
    fileprivate func `follows from the evidence alone`(row: LevelRow) {
        #expect(CallerJudge.system().judge(row.evidence).level == row.level)
    }

    @Test(arguments: LevelRow.rows)
    fileprivate func `has a reason unless it is the best`(row: LevelRow) {
        let reasons = CallerJudge.system().judge(row.evidence).reasons
        #expect(reasons.isEmpty == (row.level == .verified))
    }

    @Test(arguments: LevelRow.rows)
    fileprivate func `is never verified where the daemon runs as the same account`(row: LevelRow) {
        let judge = CallerJudge(policies: ProgramPolicies(), isSeparateAccount: false)
        #expect(judge.judge(row.evidence).level < .verified)
    }

    @Test func `is that of its file for a program that a policy names in a person's directory`() {
        let own = Evidence.plain.with {
            $0.executable?.path = "/srv/ann/mailer"
            $0.executable?.isReplaceable = true
            $0.executable?.isRootOwned = false
        }
        let policy = ProgramPolicy(selector: .program("/srv/ann/mailer"), level: .observed)
        #expect(CallerJudge.system().judge(own).level == .nobody)
        #expect(CallerJudge.system([policy]).judge(own).level == .observed)
    }

    @Test func `names the program to people, and never a path that is not its own`() {
        let judge = CallerJudge.system()
        #expect(judge.judge(.plain).name == "/usr/bin/mailer")
        let hidden = Evidence.plain.with { $0.executable?.isPresent = false }
        #expect(judge.judge(hidden).name == "process 77")
        let sandboxed = hidden.with { $0.confinement = .flatpak("org.example.Mailer") }
        #expect(judge.judge(sandboxed).name == "org.example.Mailer (Flatpak)")
        let unit = Evidence.plain.with {
            $0.userID = Evidence.service
            $0.systemUnit = "shop.service"
        }
        #expect(judge.judge(unit).name == "shop.service")
    }

    @Test(arguments: [
        "/bin/sh", "/usr/bin/bash", "/usr/bin/zsh-5.9", "/usr/bin/python3", "/usr/bin/python3.11",
        "/usr/bin/perl5.36-x86_64-linux-gnu", "/usr/bin/node", "/usr/bin/ruby3.1",
        "/usr/bin/lua5.4",
        "/usr/bin/php8.2", "/usr/bin/tclsh8.6", "/usr/bin/mawk", "/usr/bin/gdb", "/usr/bin/env",
        "/usr/lib/jvm/java-17-openjdk-amd64/bin/java", "/lib64/ld-linux-x86-64.so.2",
        "/bin/busybox",
        "/usr/bin/qemu-aarch64-static", "/usr/bin/emacs-gtk", "/usr/bin/vim.basic", "/usr/bin/R",
        "/usr/bin/guile-3.0", "/usr/bin/Rscript", "/usr/lib/wine/wine64",
        "/usr/bin/octave-cli-7.3.0",
    ])
    func `knows an interpreter by its file name`(path: String) {
        #expect(Interpreters.contain(path: path))
    }

    @Test(arguments: [
        "/usr/bin/mailer", "/usr/bin/keychainctl", "/usr/bin/luakit", "/usr/bin/perlite",
        "/usr/bin/rubymine-helper", "/usr/bin/shutter", "/usr/lib/python3/mailer", "/", "",
    ])
    func `is not taken for an interpreter's by a similar name`(path: String) {
        #expect(!Interpreters.contain(path: path))
    }
}
