import Secrets

// ★ Table: names and values of settings that look like secrets.

/// Decides whether a setting among others is a secret.
package enum SecretName {
    /// Words within the names of secrets, in upper case, without separators.
    private static let words = [
        "PASSWORD", "PASSWD", "PASSPHRASE", "PASSCODE", "PWD", "SECRET", "TOKEN", "CREDENTIAL",
        "APIKEY", "ACCESSKEY", "PRIVATEKEY", "SIGNINGKEY", "ENCRYPTIONKEY", "AUTHKEY", "MASTERKEY",
        "LICENSEKEY", "BEARER", "COOKIE", "SALT", "DSN", "WEBHOOK",
    ]

    /// Words at the end of the names of secrets.
    private static let endings = ["_KEY", "_PASS", "_PAT", "_AUTH", ".KEY", "-KEY"]

    /// The first characters of well-known tokens.
    private static let tokenBeginnings = [
        "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk_live_", "sk_test_", "rk_live_",
        "sk-", "xoxb-", "xoxp-", "xapp-", "AKIA", "ASIA", "AIza", "npm_", "pypi-", "dop_v1_",
        "SG.", "eyJ", "-----BEGIN", "AGE-SECRET-KEY-", "hvs.", "shpat_", "whsec_",
    ]

    /// Whether the name or value looks like a secret.
    package static func seemsSecret(name: String, value: borrowing Secret) -> Bool {
        let upper = name.uppercased()
        let letters = upper.filter { $0 != "_" && $0 != "-" && $0 != "." && $0 != " " }
        return words.contains(where: letters.contains) || endings.contains(where: upper.hasSuffix)
            || value.withUnsafeBytes(seemsSecret)
    }

    /// Whether a value alone looks like a secret.
    static func seemsSecret(value: borrowing Secret) -> Bool {
        value.withUnsafeBytes(seemsSecret)
    }

    /// Whether bytes are a well-known token, or a URL with a password.
    private static func seemsSecret(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if tokenBeginnings.contains(where: { bytes.starts(with: $0.utf8) }) { return true }
        guard let parts = URLParts(bytes), let password = parts.password else { return false }
        return !password.isEmpty
    }
}
