/// The quality of a program's identification, which decides how well its items are protected from
/// other programs of the same account.
///
/// - Source: Documentation/Spec/evidence.md §3.
package enum EvidenceLevel: UInt8, CaseIterable, Sendable, Hashable, Comparable {
    /// No identity: an interpreter, a program that the account can replace, or a traced process.
    case nobody = 0
    /// A program by its path and digest, which another program of the account can still imitate.
    case observed = 1
    /// A program in a sandbox, which cannot leave its own groups.
    case confined = 2
    /// A program that no other program of the account can read, trace or imitate.
    case verified = 3

    package static func < (left: EvidenceLevel, right: EvidenceLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The word in policy files, logs and listings.
    package var word: String {
        switch self {
        case .nobody: "nobody"
        case .observed: "observed"
        case .confined: "confined"
        case .verified: "verified"
        }
    }

    /// Creates the level of a word; nil for any other word.
    package init?(word: String) {
        guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = level
    }
}
