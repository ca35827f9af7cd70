/// Something that was looked at, and whether it is as it should be.
package struct Observation: Sendable, Hashable {
    package enum Verdict: String, Sendable, Hashable {
        case fine
        /// Worth knowing, and no fault.
        case notice
        /// Something that keeps the keychain from working, or from being safe.
        case problem
    }

    package let verdict: Verdict
    /// What was looked at, in a word or two.
    package let subject: String
    /// What was found.
    package let text: String
    /// What to do about it; nil for nothing.
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
