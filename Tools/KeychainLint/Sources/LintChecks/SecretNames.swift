/// The names of secrets.
enum SecretNames {
    private static let words: Set<String> = [
        "token", "tokens", "password", "passwords", "passwd", "passphrase", "passcode", "secret",
        "secrets", "apikey", "credential", "credentials", "jwt", "bearer", "mnemonic", "pwd",
        "seedphrase", "privatekey", "authtoken", "accesstoken", "refreshtoken", "pin", "cvv",
    ]
    private static let pairs: [(String, String)] = [
        ("api", "key"), ("private", "key"), ("access", "key"), ("session", "key"),
        ("encryption", "key"), ("signing", "key"), ("client", "secret"), ("seed", "phrase"),
        ("session", "id"), ("card", "number"),
    ]
    /// Words that turn the name of a secret into one about a secret.
    private static let others: Set<String> = [
        "count", "length", "has", "is", "did", "should", "can", "needs", "type", "name", "url",
        "uri", "expiry", "expires", "expiration", "expire", "date", "placeholder", "field", "label",
        "policy", "strength", "valid", "invalid", "enabled", "required", "hint", "prompt", "title",
        "message", "error", "view", "button", "screen", "controller", "endpoint", "path", "reset",
        "forgot", "change", "changed", "exists", "identifier", "index", "status", "state", "rules",
        "show", "migration", "migrated", "service", "tag", "refreshed", "updated", "at", "use",
        "hash", "digest", "public", "fingerprint", "limit", "usage", "cancellation", "cancel",
        "observer", "observation", "notification", "scheme", "kind", "group", "encrypted", "sealed",
        "version", "provider", "store", "storage", "manager", "keychain", "length", "size", "id",
        "reference", "ref", "time", "interval", "lifetime", "key",
    ]

    /// Whether a name, or a text in the role of one, belongs to a secret.
    static func isSecret(_ name: String) -> Bool {
        let parts = Self.parts(of: name)
        guard !parts.isEmpty else { return false }
        let isPair = pairs.contains { pair in
            zip(parts, parts.dropFirst()).contains { $0 == pair.0 && $1 == pair.1 }
        }
        if isPair {
            return parts.allSatisfy { !others.subtracting(["key", "id"]).contains($0) }
        }
        return parts.contains(where: words.contains) && parts.allSatisfy { !others.contains($0) }
    }

    /// Returns the words of a name: `authToken` has "auth" and "token".
    static func parts(of name: String) -> [String] {
        var parts: [String] = []
        var current = ""
        var previousIsLower = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                if !current.isEmpty { parts.append(current) }
                current = ""
                previousIsLower = false
                continue
            }
            if character.isUppercase, previousIsLower {
                parts.append(current)
                current = ""
            }
            previousIsLower = character.isLowercase || character.isNumber
            current.append(contentsOf: character.lowercased())
        }
        if !current.isEmpty { parts.append(current) }
        return parts
    }
}
