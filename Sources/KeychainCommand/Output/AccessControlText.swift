import KeychainModel

// ★ Table: the words for the flags of an access control.

/// An access control as a word list, such as `WhenUnlocked userPresence`.
enum AccessControlText {
    private static let words: [(flag: AccessControl.Flags, word: String)] = [
        (.userPresence, "userPresence"),
        (.biometryAny, "biometryAny"),
        (.biometryCurrentSet, "biometryCurrentSet"),
        (.devicePasscode, "devicePasscode"),
        (.companion, "companion"),
        (.or, "or"),
        (.and, "and"),
        (.privateKeyUsage, "privateKeyUsage"),
        (.applicationPassword, "applicationPassword"),
    ]

    /// Returns the name of the protection class, then Apple's names of the flags.
    static func text(of control: AccessControl) -> String {
        let flags = words.filter { control.flags.contains($0.flag) }.map(\.word)
        return ([control.protection.name] + flags).joined(separator: " ")
    }

    /// The names of the flags that demand proof, for help and errors.
    static let demands = words.map(\.word).filter { $0 != "privateKeyUsage" }

    /// Returns the flags in a list of words with commas; nil for an unknown or missing word.
    static func flags(of list: String) -> AccessControl.Flags? {
        var flags: AccessControl.Flags = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let row = words.first(where: { $0.word == part }) else { return nil }
            flags.insert(row.flag)
        }
        return flags
    }
}
