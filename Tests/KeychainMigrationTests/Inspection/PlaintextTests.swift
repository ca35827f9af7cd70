import Foundation
import KeychainMigration
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `A backup of a phone` {
    let phone: Phone
    let place: Place
    let keychain = ServicesKeychain()

    init() throws {
        phone = try Phone()
        place = try Place()
    }

    /// The same secret in defaults, a property list, an archive and the keychain.
    private func store(_ secrets: [String: String]) throws {
        let documents = phone.app.container
        phone.app.defaults.set(secrets["defaults"], forKey: "authToken")
        _ = phone.app.defaults.synchronize()
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["session": ["token": secrets["list"] ?? ""]],
            format: .binary,
            options: 0
        )
        try list.write(to: documents.appendingPathComponent("Credentials.plist"))
        let archive = Session.archive(Session(user: "ada", token: secrets["archive"] ?? ""))
        try archive.write(to: documents.appendingPathComponent("UserSession.archive"))
        try phone.app.run { try keychain.add(.token(), secrets["keychain"] ?? "") }
    }

    /// What a computer keeps of the phone.
    private func backUp() throws -> URL {
        let folder = place.file("backup")
        try phone.device.backup(to: folder, password: "tape")
        return folder
    }

    @Test(.requirement("BAK-09", "STO-10"))
    func `shows what defaults, lists and archives hold, and nothing of the keychain`() throws {
        let secrets = [
            "defaults": "secret-of-defaults", "list": "secret-of-list",
            "archive": "secret-of-archive", "keychain": "secret-of-keychain",
        ]
        try store(secrets)
        let folder = try backUp()
        let scan = PlaintextScan(folder: folder)
        func files(_ name: String) throws -> [String] {
            try scan.places(of: SecretBytes(secrets[name] ?? "")).map(\.file)
        }
        let app = "Apps/\(phone.app.manifest.bundleIdentifier)/"
        #expect(try files("defaults") == [app + "Preferences.plist"])
        #expect(try files("list") == [app + "Container/Credentials.plist"])
        #expect(try files("archive") == [app + "Container/UserSession.archive"])
        #expect(try files("keychain").isEmpty)
        let raw = try Data(contentsOf: folder.appendingPathComponent("keychain-backup"))
        let text = String(decoding: raw, as: UTF8.self)
        #expect(!text.contains("secret-of-keychain") && !text.contains("com.example.app"))
        let found = try scan.findings()
        #expect(found.contains { $0.key == "session.token" && $0.byteCount == 14 })
        #expect(!"\(found)".contains("secret-of"))
    }

    @Test(.requirement("BAK-09"))
    func `gives what defaults and lists hold to whoever opens its files`() throws {
        try store(["defaults": "one-secret", "list": "two-secret", "archive": "three-secret"])
        let app = try backUp().appendingPathComponent(
            "Apps/" + phone.app.manifest.bundleIdentifier
        )
        func list(_ name: String) throws -> [String: Any]? {
            try PropertyListSerialization.propertyList(
                from: Data(contentsOf: app.appendingPathComponent(name)),
                format: nil
            ) as? [String: Any]
        }
        #expect(try list("Preferences.plist")?["authToken"] as? String == "one-secret")
        let session = try list("Container/Credentials.plist")?["session"] as? [String: String]
        #expect(session == ["token": "two-secret"])
        let archive = KeyedArchiveSource(
            file: app.appendingPathComponent("Container/UserSession.archive"),
            classes: [Session.archivedName: \.fields]
        )
        let token = try #require(try archive.read("token"))
        #expect(token.secret.matches(SecretBytes("three-secret")))
    }

    @Test func `is not written over another one`() throws {
        _ = try backUp()
        #expect(throws: CocoaError.self) { try backUp() }
    }

    @Test func `shows no secret any more once all of them have moved`() throws {
        try store(["defaults": "one-secret", "list": "two-secret", "archive": "three-secret"])
        let documents = phone.app.container
        let list = PropertyListSource(
            file: PlainFile(documents.appendingPathComponent("Credentials.plist"))
        )
        let archive = KeyedArchiveSource(
            file: documents.appendingPathComponent("UserSession.archive"),
            classes: [Session.archivedName: \.fields]
        )
        let defaults = DefaultsSource(phone.app.defaults, name: "defaults")
        let report = phone.app.run {
            Mover(journal: InMemoryJournal()).run([
                Move("authToken", from: defaults, to: .token("a")),
                Move("session.token", from: list, to: .token("b")),
                Move("token", from: archive, to: .token("c")),
                Move("user", from: archive, to: .token("d")),
            ])
        }
        #expect(report.isComplete, "\(report)")
        let scan = PlaintextScan(folder: try backUp())
        #expect(try scan.findings().isEmpty)
    }
}

@Suite struct `A report` {
    private func report() -> MigrationReport {
        Mover(keychain: InMemoryKeychain(), journal: InMemoryJournal())
            .run([Move("a", from: MapSource(["a": "alpha"]), to: .token())])
    }

    @Test(.requirement("MIG-40"))
    func `recommends encrypted backups and says what risk remains`() {
        let text = report().description
        #expect(text.contains("Encrypt backups"))
        #expect(text.contains("keep the plain text: deletion does not reach them"))
        #expect(text.contains("change the secrets in them"))
    }

    @Test(.requirement("BAK-10"))
    func `names the backups that are older than the migration`() {
        let migration = Date(timeIntervalSince1970: 1_800_000_000)
        let backups = [-86_400.0, -1, 0, 3600].enumerated().map { index, seconds in
            BackupRecord(id: "tape \(index)", date: migration.addingTimeInterval(seconds))
        }
        var report = report()
        report.warn(of: backups.reversed(), olderThan: migration)
        let sentence = report.advice.last ?? ""
        #expect(sentence.contains("tape 0 (2027-01-14T08:00:00Z), tape 1 (2027-01-15T07:59:59Z)."))
        #expect(!sentence.contains("tape 2") && !sentence.contains("tape 3"))
        var fresh = self.report()
        let advice = fresh.advice
        fresh.warn(of: [backups[3]], olderThan: migration)
        #expect(fresh.advice == advice)
    }

    @Test func `is a table for people and JSON for programs`() throws {
        let report = report()
        #expect(report.description.hasPrefix("what  from  to"))
        #expect(report.description.contains("a     old   genp(com.example.app, token)  moved"))
        let bytes = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(MigrationReport.self, from: bytes) == report)
    }

    static let outcomes: [MoveOutcome] = [
        .moved, .movedKeepingOriginal, .alreadyThere, .nothingThere, .changed, .removed,
        .kept("why"), .planned("move"), .conflict, .deferred("why"), .cannotMove("why"), .lost,
        .failed(.verificationMismatch), .failed(.keychain(KeychainFailure(.add, status: -25291))),
        .failed(.source(SourceFailure(.damaged, "file"))), .failed(.journal(.damaged(line: 3))),
        .failed(.journal(.unreadable("j"))), .failed(.journal(.unwritable("j"))),
        .failed(.transformation("why")), .failed(.rollback("why")),
    ]

    @Test(arguments: outcomes)
    func `keeps every outcome when it is written down`(outcome: MoveOutcome) throws {
        let line = MigrationReport.Line(what: "a", from: "b", to: "c", outcome: outcome)
        let report = MigrationReport(lines: [line])
        let bytes = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(MigrationReport.self, from: bytes) == report)
        #expect(report.description.contains(outcome.description))
        #expect(report.isComplete == report.problems.isEmpty)
    }
}

@Suite struct `Items that are lost in a restore` {
    @Test(.requirement("BAK-08"))
    func `are listed once for whoever asks the user to sign in`() throws {
        let phone = try Phone()
        let journal = InMemoryJournal()
        let source = MapSource(["bound": "one", "free": "two"])
        let report = phone.app.run {
            Mover(journal: journal).run([
                Move("bound", from: source, to: .token("bound")),
                Move("free", from: source, to: .token("free"), accessibility: .afterFirstUnlock),
            ])
        }
        #expect(report.isComplete)
        let backup = try phone.device.backup(password: "tape")
        let other = try Phone()
        try other.device.restore(backup, password: "tape")
        try other.app.run { () throws in
            #expect(try ServicesKeychain().read(.token("bound")) == nil)
            let check = LossCheck(journal: journal)
            var told: [[String]] = []
            let hook = { (items: [ItemAddress]) in
                told.append(items.compactMap { $0.text(.account) })
            }
            try check.run(hook: hook)
            try check.run(hook: hook)
            #expect(told == [["bound"]])
        }
    }

    @Test(arguments: [true, false])
    func `are not concluded from items that are out of reach`(isRebooted: Bool) throws {
        let phone = try Phone()
        let journal = InMemoryJournal()
        let source = MapSource(["a": "alpha"])
        _ = phone.app.run {
            Mover(journal: journal)
                .run([Move("a", from: source, to: .token("a"), accessibility: .whenUnlocked)])
        }
        if isRebooted { phone.device.reboot() } else { phone.device.lock() }
        try phone.app.run {
            try LossCheck(journal: journal).run { Issue.record("lost: \($0)") }
        }
    }
}
