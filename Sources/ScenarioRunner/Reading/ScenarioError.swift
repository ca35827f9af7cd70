/// A fault in a scenario file, described in one line.
package struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, as the user named it.
    package let file: String
    /// The path of the fault, such as `events[2].grace`; empty for the whole file.
    package let path: String
    /// The fault in words.
    package let reason: String

    package var description: String {
        (path.isEmpty ? [file, reason] : [file, path, reason]).joined(separator: ": ")
    }
}
