import KeychainModel

// ★ Table: the words for the flags of an access control.

/// An access control as a word list, such as `ak userPresence`.
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

    /// The code of the protection class, then the flags by Apple's names.
    static func text(of control: AccessControl) -> String {
        let flags = words.filter { control.flags.contains($0.flag) }.map(\.word)
        return ([control.protection.code] + flags).joined(separator: " ")
    }
}
