import KeychainModel

/// The rights that root gives a program, an account, or whatever the selector names.
///
/// - Source: Documentation/Spec/evidence.md §4.
package struct ProgramPolicy: Sendable, Hashable {
    package let selector: ProgramSelector
    /// The level that a caller needs at least.
    package let level: EvidenceLevel
    package let applicationIdentifier: String?
    package let accessGroups: [String]
    /// The file that says so.
    package let source: String

    package init(
        selector: ProgramSelector,
        level: EvidenceLevel? = nil,
        applicationIdentifier: String? = nil,
        accessGroups: [String] = [],
        source: String = ""
    ) {
        self.selector = selector
        self.level = level ?? selector.bestLevel
        self.applicationIdentifier = applicationIdentifier
        self.accessGroups = accessGroups
        self.source = source
    }

    /// The groups in the order in which a caller has them: the first is for new items.
    package var groups: [String] { accessGroups + (applicationIdentifier.map { [$0] } ?? []) }
}

extension ProgramSelector {
    /// What a policy demands that names no level: the best that such a caller can reach.
    ///
    /// An account is named as a whole, so none of its programs has to prove anything more.
    var bestLevel: EvidenceLevel {
        switch self {
        case .program, .unit: .verified
        case .flatpak, .snap, .label: .confined
        case .account: .nobody
        }
    }

    /// Whether both name the same, byte for byte.
    ///
    /// `==` compares as people read, so that two different paths can be equal.
    func isSame(as other: ProgramSelector) -> Bool {
        key == other.key && value.utf8.elementsEqual(other.value.utf8)
    }
}
