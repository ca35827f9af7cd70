/// One observation of an examination, with its verdict.
package struct Observation: Sendable, Hashable {
    package enum Verdict: String, Sendable, Hashable {
        case fine
        /// Worth knowing, but not a fault.
        case notice
        /// A fault that prevents the keychain from working, or from being safe.
        case problem
    }

    package let verdict: Verdict
    /// The subject in a word or two.
    package let subject: String
    /// The finding.
    package let text: String
    /// The advice; nil if there is none.
    package let advice: String?

    package init(
        _ verdict: Verdict,
        _ subject: String,
        _ text: String,
        advice: String? = nil
    ) {
        self.verdict = verdict
        self.subject = subject
        self.text = text
        self.advice = advice
    }
}
