/// Something worth knowing about a call: a rule it met, what happened, and what would elsewhere.
///
/// A finding names item classes and attributes, never values; the one exception is the access
/// group that a program named and may not use.
/// - Source: Documentation/Diagnostics.md, which lists every rule.
public struct Finding: Sendable, Hashable {
    /// The function that was called.
    public enum Verb: String, Sendable, Hashable {
        /// `SecItemAdd`.
        case add = "SecItemAdd"
        /// `SecItemCopyMatching`.
        case copyMatching = "SecItemCopyMatching"
        /// `SecItemUpdate`.
        case update = "SecItemUpdate"
        /// `SecItemDelete`.
        case delete = "SecItemDelete"
        /// `SecAccessControlCreateWithFlags`.
        case accessControl = "SecAccessControlCreateWithFlags"
        /// A function of `SecKey` that uses a key of the secure element.
        case key = "SecKey"
        /// A function of `LAContext`.
        case context = "LAContext"
        /// A question to the device itself.
        case device
        /// Making a backup.
        case backup
        /// Restoring one.
        case restore
    }

    /// The rule's id, such as `missing-accessible`: a row of Documentation/Diagnostics.md.
    public let rule: String
    /// The function that was called.
    public let verb: Verb
    /// Which item: its class and the attributes that named it.
    public let item: String
    /// What was noticed, as a sentence.
    public let sentence: String
    /// The status that the call returned, or would return if nothing else were wrong.
    public let status: Int32
    /// What each profile does, where they differ; and the line that chooses another behavior.
    public let otherProfile: String?

    package init(
        _ rule: DiagnosticRule,
        verb: Verb,
        item: String,
        status: SecurityStatus,
        detail: String? = nil
    ) {
        self.rule = rule.rawValue
        self.verb = verb
        self.item = item
        self.sentence = [rule.sentence, detail ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
        self.status = status.rawValue
        self.otherProfile = rule.otherProfile
    }
}

extension Finding: CustomStringConvertible {
    /// One line, as `KEYCHAIN_DIAGNOSTICS=1` prints it.
    public var description: String {
        let other = otherProfile.map { " [\($0)]" } ?? ""
        let name = SecurityStatus(rawValue: status).name
        return
            "keychain: \(rule) \(verb.rawValue) \(item): \(sentence) → \(name) (\(status))\(other)"
    }
}
