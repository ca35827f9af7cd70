import Foundation
import KeychainMigration
import SecretServiceClient
import TestSupport
import Testing

@testable import keychain_migrate

/// A login as `secret-tool` stores it, and the words that find it after it was moved.
private struct StoredLogin {
    let label: String
    let attributes: [String]
    let value: String
    let found: [String]

    static let all = [
        StoredLogin(
            label: "the mail",
            attributes: [
                "xdg:schema", "org.gnome.keyring.NetworkPassword", "server", "mail.example.org",
                "user", "ann", "protocol", "imap",
            ],
            value: "correct horse",
            found: [
                "find-internet-password", "-s", "mail.example.org", "-a", "ann", "-r", "imap",
            ]
        ),
        StoredLogin(
            label: "Git: https://git.example.org:8443/",
            attributes: [
                "xdg:schema", "org.git.Password", "server", "git.example.org", "user", "bob",
                "protocol", "https", "port", "8443",
            ],
            value: "battery = staple",
            found: [
                "find-internet-password", "-s", "git.example.org", "-a", "bob", "-P", "8443",
            ]
        ),
        StoredLogin(
            label: "the shop",
            attributes: [
                "xdg:schema", "org.freedesktop.Secret.Generic", "service", "shop", "user", "cleo",
            ],
            value: "'$(hunter2)\"",
            found: ["find-generic-password", "-s", "shop", "-a", "cleo"]
        ),
    ]

    /// What `secret-tool` stores without a schema.
    static let plain = StoredLogin(
        label: "a token",
        attributes: ["stage", "live"],
        value: "line one\n[/9]\nlabel = forged\nattribute.user = eve",
        found: ["find-generic-password", "-s", "a token", "-a", "stage=live"]
    )

    /// The same server and user as the mail's, and more: another program's.
    static let wider = StoredLogin(
        label: "the wider one",
        attributes: [
            "xdg:schema", "org.example.Mailer", "server", "mail.example.org", "user", "ann",
            "protocol", "imap", "object", "inbox",
        ],
        value: "another secret",
        found: ["find-generic-password", "-s", "the wider one"]
    )

    /// What is nobody's login, and so stays.
    static let other = StoredLogin(
        label: "a browser's key",
        attributes: ["xdg:schema", "org.example.Browser", "application", "browser"],
        value: "safe storage",
        found: ["find-generic-password", "-s", "a browser's key"]
    )
}

extension SecretServiceDesktop {
    fileprivate func store(_ login: StoredLogin) throws {
        let words = ["secret-tool", "store", "--label", login.label] + login.attributes
        let stored = try run(words, input: login.value)
        try #require(stored.status == 0, "\(login.label): \(stored.output)")
    }

    /// What the service still has; nil for nothing.
    fileprivate func kept(_ login: StoredLogin) throws -> String? {
        let lookup = try run(["secret-tool", "lookup"] + login.attributes)
        return lookup.status == 0 ? lookup.output : nil
    }

    /// Labels, values and attributes of all logins that the service has, sorted.
    fileprivate func everything() throws -> [String] {
        // What has no schema gets the general one from the service at times.
        let marks = ["[", "created", "modified", "schema"]
        return try (StoredLogin.all + [.other, .plain, .wider]).flatMap { login in
            let words = ["secret-tool", "search", "--all"] + login.attributes
            return try run(words).output.split(separator: "\n").map(String.init).filter { line in
                !marks.contains(where: line.hasPrefix)
            }
        }
        .sorted()
    }

    /// What the keychain has by now; nil for nothing.
    fileprivate func moved(_ login: StoredLogin) throws -> String? {
        let find = try run(["keychainctl"] + login.found + ["-w"])
        return find.status == 0 ? find.output : nil
    }
}

private let isMissing: Comment = """
    gnome-keyring-daemon, secret-tool, gdbus and dbus-daemon are not all installed: \
    no real Secret Service is tried
    """

extension Programs {
    @Suite(.enabled(if: SecretServiceDesktop.isInstalled, isMissing))
    struct `The real Secret Service` {
        private static let migrate = ["keychainctl", "migrate", "--from", "secret-service"]

        /// A desktop with every login in it and others, and an empty keychain.
        private func furnished(_ others: StoredLogin...) throws -> SecretServiceDesktop {
            let desktop = try SecretServiceDesktop()
            for login in StoredLogin.all + [.other] + others { try desktop.store(login) }
            return desktop
        }

        @Test func `is emptied of its logins, and of nothing else`() throws {
            let desktop = try furnished()
            let migration = try desktop.run(Self.migrate)
            #expect(migration.status == 0, "\(migration.output)")
            let logins = StoredLogin.all
            #expect(try logins.map(desktop.moved) == logins.map { $0.value + "\n" })
            #expect(try logins.map(desktop.kept) == logins.map { _ in nil })
            #expect(!logins.contains { migration.output.contains($0.value) })
            #expect(try desktop.kept(.other) == StoredLogin.other.value)
            #expect(try desktop.moved(.other) == nil)
            let again = try desktop.run(Self.migrate)
            #expect(again.status == 0)
            #expect(!again.output.contains("moved"), "\(again.output)")
        }

        @Test(.requirement("USE-07"))
        func `loses what was read, by its path, and gets all of it back`() throws {
            let desktop = try furnished(.plain, .wider)
            let before = try desktop.everything()
            let migration = try desktop.run(Self.migrate)
            #expect(migration.status == 0, "\(migration.output)")
            #expect(try desktop.kept(.wider) == StoredLogin.wider.value)
            #expect(try desktop.kept(.plain) == nil)
            // What has several lines is printed in hexadecimal digits.
            let digits = StoredLogin.plain.value.utf8.map {
                ($0 < 16 ? "0" : "") + String($0, radix: 16)
            }
            #expect(try desktop.moved(.plain) == digits.joined() + "\n")
            #expect(!migration.output.contains("forged"))
            let undo = try desktop.run(["keychainctl", "migrate", "--undo"])
            #expect(undo.status == 0, "\(undo.output)")
            let after = try desktop.everything()
            #expect(after == before)
        }

        /// Adds an item next to those that are there; its path.
        @discardableResult
        private func add(
            _ attributes: [String: String],
            _ bytes: [UInt8],
            to service: any SecretService
        ) throws -> String {
            let item = SecretServiceItem(
                path: "/",
                collection: "/org/freedesktop/secrets/collection/login",
                label: "odd",
                attributes: attributes
            )
            let type = "application/octet-stream"
            let value = SecretServiceValue(SecretBytes(Data(bytes)), contentType: type)
            return try service.create(item, value)
        }

        @Test
        func `keeps what is ambiguous, which is named, and loses bytes once they were read back`()
            throws
        {
            let desktop = try SecretServiceDesktop()
            let service = try desktop.service()
            let shop = ["service": "shop", "user": "ann"]
            let stages = try ["test", "live"].map { stage in
                let attributes = shop.merging(["stage": stage]) { $1 }
                return try add(attributes, Array(stage.utf8), to: service)
            }
            let bytes = [0, 10, 255, 0xC3, 0x28, 13, 0] as [UInt8]
            let binary = try add(["service": "key", "user": "ann"], bytes, to: service)
            let migration = try desktop.run(Self.migrate)
            #expect(migration.status != 0)
            let named = migration.output.split(separator: "\n").filter { $0.contains("ambiguous") }
            #expect(named.count == 2 && named.allSatisfy { $0.contains("shop") }, "\(named)")
            let kept = try stages.map { path in
                let value = try service.value(at: path).secret
                return String(decoding: value.copyBytesUnprotected(), as: UTF8.self)
            }
            #expect(kept == ["test", "live"])
            #expect(try service.item(at: binary) == nil)
            let find = ["keychainctl", "find-generic-password", "-s", "key", "-a", "ann", "-w"]
            #expect(try desktop.run(find).output == "000a" + "ffc3280d00\n")
            let absent = ["keychainctl", "find-generic-password", "-s", "shop", "-a", "ann", "-w"]
            #expect(try desktop.run(absent).status != 0)
        }

        @Test func `hands over to the keychain's own, which finds every item as before`() throws {
            let desktop = try furnished(.wider, .plain)
            let logins = StoredLogin.all + [.other, .wider, .plain]
            let migration = try desktop.run(Self.migrate + ["--keep-attributes"])
            #expect(migration.status == 0, "\(migration.output)")
            #expect(try logins.map(desktop.kept) == logins.map { _ in nil })
            try desktop.replaceServiceByDoor()
            #expect(try logins.map(desktop.kept) == logins.map(\.value))
            let refusal = try desktop.run(Self.migrate)
            #expect(refusal.status != 0)
            #expect(refusal.output.contains("the keychain answers on this bus"))
            #expect(try logins.map(desktop.kept) == logins.map(\.value))
        }

        @Test func `that is locked is named, and nothing is lost`() throws {
            let desktop = try furnished()
            let login = "/org/freedesktop/secrets/collection/login"
            let lock = ["gdbus", "call", "--session", "--dest", "org.freedesktop.secrets"]
            let method = ["--method", "org.freedesktop.Secret.Service.Lock", "['\(login)']"]
            let path = ["--object-path", "/org/freedesktop/secrets"]
            #expect(try desktop.run(lock + path + method).status == 0)
            let migration = try desktop.run(Self.migrate)
            #expect(migration.status != 0)
            #expect(migration.output.contains("the collection Login"), "\(migration.output)")
        }

        @Test func `and the keychain stay as they are in a dry run`() throws {
            let desktop = try furnished()
            let plan = try desktop.run(Self.migrate + ["--dry-run"])
            #expect(plan.status == 0, "\(plan.output)")
            #expect(plan.output.components(separatedBy: "would move").count == 4)
            let logins = StoredLogin.all + [.other]
            #expect(try logins.map(desktop.kept) == logins.map(\.value))
            #expect(try logins.map(desktop.moved) == logins.map { _ in nil })
            #expect(!logins.contains { plan.output.contains($0.value) })
        }

        @Test(.requirement("USE-07"))
        func `loses nothing if another one takes its place meanwhile, which is named`() throws {
            let desktop = try SecretServiceDesktop()
            let users = (0..<40).map { "user\($0)" }
            for user in users {
                let words = ["secret-tool", "store", "--label", user, "service", "s", "user", user]
                #expect(try desktop.run(words, input: "of " + user).status == 0)
            }
            let migration = try desktop.start(Self.migrate)
            let journal = desktop.workshop.scratch.path + "/keychain/migration.journal"
            while migration.isRunning, (try? Data(contentsOf: URL(filePath: journal))) == nil {}
            #expect(kill(migration.processID, SIGSTOP) == 0)
            let home = desktop.workshop.scratch.path
            try desktop.replaceService(home: home + "/other")
            #expect(kill(migration.processID, SIGCONT) == 0)
            let end = try migration.wait()
            #expect(end.status != 0)
            let told = end.output
            #expect(told.contains("its program has ended or was replaced"), "\(told)")
            #expect(!told.contains("nothing there"), "\(told)")

            try desktop.replaceService(home: home)
            let nowhere = try users.filter { user in
                let kept = try desktop.run(["secret-tool", "lookup", "service", "s", "user", user])
                let find = ["keychainctl", "find-generic-password", "-s", "s", "-a", user, "-w"]
                let moved = try desktop.run(find)
                return kept.output != "of " + user && moved.output != "of \(user)\n"
            }
            #expect(nowhere == [])
            #expect(try desktop.run(Self.migrate).status == 0)
        }
    }
}
