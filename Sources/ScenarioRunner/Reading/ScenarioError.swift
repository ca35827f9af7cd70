/// What is wrong with a scenario file, as one line.
package struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, as it was named.
    package let file: String
    /// Where in it, such as `events[2].grace`; empty for the whole.
    package let path: String
    /// What is wrong there.
    package let reason: String

    package var description: String {
        (path.isEmpty ? [file, reason] : [file, path, reason]).joined(separator: ": ")
    }
}
