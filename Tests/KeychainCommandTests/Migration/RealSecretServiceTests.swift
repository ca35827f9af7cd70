import Foundation
import Testing

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

    /// What the keychain has by now; nil for nothing.
    fileprivate func moved(_ login: StoredLogin) throws -> String? {
        let find = try run(["keychain"] + login.found + ["-w"])
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
        private static let migrate = ["keychain", "migrate", "--from", "secret-service"]

        /// A desktop with every login in it, and an empty keychain.
        private func furnished() throws -> SecretServiceDesktop {
            let desktop = try SecretServiceDesktop()
            for login in StoredLogin.all + [.other] { try desktop.store(login) }
            return desktop
        }

        @Test func `is emptied of its logins, and of nothing else`() throws {
            let desktop = try furnished()
            let migration = try desktop.run(Self.migrate)
            #expect(migration.status == 0, "\(migration.output)")
            for login in StoredLogin.all {
                #expect(try desktop.moved(login) == login.value + "\n", "\(login.label)")
                #expect(try desktop.kept(login) == nil, "\(login.label)")
                #expect(!migration.output.contains(login.value))
            }
            #expect(try desktop.kept(.other) == StoredLogin.other.value)
            #expect(try desktop.moved(.other) == nil)
            let again = try desktop.run(Self.migrate)
            #expect(again.status == 0)
            #expect(again.output.contains("nothing to migrate was found"), "\(again.output)")
        }

        @Test func `and the keychain stay as they are in a dry run`() throws {
            let desktop = try furnished()
            let plan = try desktop.run(Self.migrate + ["--dry-run"])
            #expect(plan.status == 0, "\(plan.output)")
            #expect(plan.output.components(separatedBy: "would move").count == 4)
            for login in StoredLogin.all + [.other] {
                #expect(try desktop.kept(login) == login.value, "\(login.label)")
                #expect(try desktop.moved(login) == nil, "\(login.label)")
                #expect(!plan.output.contains(login.value))
            }
        }
    }
}
