import KeychainModel

/// The rights that root gives to a program, an account, or another subject of a selector.
///
/// - Source: Documentation/Spec/evidence.md §4.
package struct ProgramPolicy: Sendable, Hashable {
    package let selector: ProgramSelector
    /// The lowest level that a caller needs.
    package let level: EvidenceLevel
    package let applicationIdentifier: String?
    package let accessGroups: [String]
    /// The path of the policy's file.
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
    /// The level that a policy requires if it names none: the best that such a caller can reach.
    ///
    /// A policy for an account covers it as a whole, so no program of it has to prove more.
    var bestLevel: EvidenceLevel {
        switch self {
        case .program, .unit: .verified
        case .flatpak, .snap, .label: .confined
        case .account: .nobody
        }
    }

    /// Whether both have the same name, byte for byte.
    ///
    /// `==` compares texts as people read them, so two different paths can be equal.
    func isSame(as other: ProgramSelector) -> Bool {
        key == other.key && value.utf8.elementsEqual(other.value.utf8)
    }
}
