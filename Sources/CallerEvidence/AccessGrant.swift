/// A group that a person shares with a program of the account.
///
/// - Source: Documentation/Spec/evidence.md §5.
package struct AccessGrant: Sendable, Hashable {
    package let group: String
    package let program: ProgramSelector
    /// SHA-256 that the executable must have; nil for any.
    package let digest: [UInt8]?

    package init(group: String, program: ProgramSelector, digest: [UInt8]? = nil) {
        self.group = group
        self.program = program
        self.digest = digest
    }
}
