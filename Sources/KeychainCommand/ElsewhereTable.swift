import KeychainModel

// ★ Table: the commands of macOS's security(1) that do not exist here, with their replacements.
// Documentation/Command.md has this table too; a test compares them.

/// The replacements for commands of scripts written for macOS.
enum ElsewhereTable {
    /// The command, and advice without a full stop.
    static let rows: [(name: String, instead: String)] = [
        ("add-certificates", "run keychainctl import FILE"),
        ("add-trusted-cert", addRoot),
        ("authorize", "polkit grants rights on Linux: run pkcheck"),
        ("authorizationdb", "polkit grants rights on Linux: edit /etc/polkit-1/rules.d"),
        ("create-db", "run keychainctl create-keychain"),
        ("create-filevaultmaster-keychain", "FileVault is macOS's: see cryptsetup"),
        ("dump-trust-settings", "the roots of this system are in /etc/ssl/certs"),
        ("execute-with-privileges", "run sudo or pkexec"),
        ("export-smartcard", "run p11tool --export, or pkcs11-tool"),
        ("filevault", "FileVault is macOS's: see cryptsetup"),
        ("get-identity-preference", "a program names its certificate itself: run find-identity"),
        ("install-mds", "nothing has to be installed"),
        ("item", "run find-generic-password, find-internet-password or search"),
        ("leaks", "run valgrind"),
        ("list-smartcards", "run p11tool --list-tokens, or pkcs11-tool -L"),
        ("platformsso", "single sign-on of a platform is macOS's: see sssd"),
        ("remove-trusted-cert", removeRoot),
        ("requirement-evaluate", "code signatures are macOS's: a daemon's policy names programs"),
        ("set-identity-preference", "a program names its certificate itself: run find-identity"),
        ("set-keychain-password", "run keychainctl passcode change"),
        ("smartcards", "run pcsc_scan; libkeychain-pkcs11.so serves this keychain as a token"),
        ("translocate-create", "nothing moves programs on Linux"),
        ("translocate-original-path", "nothing moves programs on Linux"),
        ("translocate-policy-check", "nothing moves programs on Linux"),
        ("translocate-status-check", "nothing moves programs on Linux"),
        ("trust-settings-export", "the roots of this system are in /etc/ssl/certs"),
        ("trust-settings-import", addRoot),
        ("user-trust-settings-enable", addRoot),
    ]

    private static let addRoot =
        "copy the root to /usr/local/share/ca-certificates/NAME.crt, and run update-ca-certificates"
    private static let removeRoot =
        "remove the root from /usr/local/share/ca-certificates, and run update-ca-certificates"

    /// Returns the failure for the command with that name; nil if the table has none.
    static func failure(for word: String) -> CommandFailure? {
        guard let row = rows.first(where: { $0.name == word }) else { return nil }
        return .keychain(KeychainError(.unimplemented, "there is no \(row.name): \(row.instead)"))
    }

    /// A Markdown table with the name and the advice of every row.
    static var markdown: String {
        let lines = rows.map { name, instead in
            "| `\(name)` | \(instead.prefix(1).uppercased() + instead.dropFirst()) |\n"
        }
        return "| macOS's command | Here |\n|---|---|\n" + lines.joined()
    }
}
