/// A remark about a call: the rule, what happened, and what would happen elsewhere.
///
/// A finding names item classes and attributes, but no values. The only exception is the name of an
/// access group that a program may not use.
///
/// ```swift
/// for finding in phone.findings { print(finding) }
/// ```
public struct Finding: Sendable, Hashable {
    /// The function that was called.
    ///
    /// ```swift
    /// let deletions = phone.findings.filter { $0.verb == .delete }
    /// ```
    public enum Verb: String, Sendable, Hashable {
        /// A call of `SecItemAdd`.
        case add = "SecItemAdd"
        /// A call of `SecItemCopyMatching`.
        case copyMatching = "SecItemCopyMatching"
        /// A call of `SecItemUpdate`.
        case update = "SecItemUpdate"
        /// A call of `SecItemDelete`.
        case delete = "SecItemDelete"
        /// A call of `SecAccessControlCreateWithFlags`.
        case accessControl = "SecAccessControlCreateWithFlags"
        /// A function of `SecKey` that uses a key of the secure element.
        case key = "SecKey"
        /// A call of a function of `LAContext`.
        case context = "LAContext"
        /// A request to the device itself, such as unlocking it.
        case device
        /// The creation of a backup.
        case backup
        /// The restore of a backup.
        case restore
    }

    /// The rule's id, such as `missing-accessible`: a row of Documentation/Diagnostics.md.
    public let rule: String
    /// The rules of `keychain-lint` about the same mistake, such as `KC201`.
    ///
    /// A refused call can have several causes, so it names several rules: a read that returns
    /// `errSecInteractionNotAllowed` (-25308) names those about items that the background cannot
    /// read. Run `keychain-lint --explain KC201` to see code with the mistake and without it.
    ///
    /// ```swift
    /// #expect(!phone.findings.contains { $0.lintRules.contains("KC503") })
    /// ```
    public var lintRules: [String] {
        DiagnosticRule(rawValue: rule)?.lintRules(verb: verb, item: item, status: status) ?? []
    }
    /// The function that was called.
    public let verb: Verb
    /// The item's class and the attributes that identify it.
    public let item: String
    /// The remark as a sentence.
    public let sentence: String
    /// The status that the call returned, or would return if nothing else were wrong.
    public let status: Int32
    /// The outcome in each profile, if they differ, and the setting that selects another outcome.
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

    /// Creates a finding that another process made.
    package init(
        rule: String,
        verb: Verb,
        item: String,
        sentence: String,
        status: Int32,
        otherProfile: String?
    ) {
        self.rule = rule
        self.verb = verb
        self.item = item
        self.sentence = sentence
        self.status = status
        self.otherProfile = otherProfile
    }
}

extension Finding: CustomStringConvertible {
    /// One line, in the form that `KEYCHAIN_DIAGNOSTICS=1` prints.
    public var description: String {
        let other = otherProfile.map { " [\($0)]" } ?? ""
        let name = SecurityStatus(rawValue: status).name
        return
            "keychain: \(rule) \(verb.rawValue) \(item): \(sentence) → \(name) (\(status))\(other)"
    }
}
