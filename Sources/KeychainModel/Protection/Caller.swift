/// Who asks: the access groups of a program, and whether a person can be asked anything.
package struct Caller: Sendable, Hashable {
    /// The groups that may be named, in order; a trailing `*` is a wildcard.
    package let accessGroups: [String]
    /// The group of an item that is added without one; nil when there is no group to take.
    package let defaultGroup: String?
    /// Whether the program may show a prompt.
    package let canPrompt: Bool
    /// Whether every group may be named (the iOS Simulator checks nothing).
    package let mayNameAnyGroup: Bool
    /// The entries that are no wildcards.
    package let plainGroups: [String]
    /// The prefixes of the wildcard entries; the empty prefix admits every group.
    package let wildcardPrefixes: [String]

    package init(
        entitlements: Entitlements,
        system: SystemProfile,
        fallbackGroup: String? = nil,
        canPrompt: Bool = true
    ) {
        let named = entitlements.accessGroups(on: system)
        let groups = named.isEmpty ? [fallbackGroup].compactMap(\.self) : named
        let prefixes = groups.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
        self.accessGroups = groups
        self.plainGroups = groups.filter { !$0.hasSuffix("*") }
        self.wildcardPrefixes = system.enforcesEntitlements ? prefixes : prefixes + [""]
        self.defaultGroup = Self.defaultGroup(of: entitlements, fallback: fallbackGroup)
        self.canPrompt = canPrompt
        self.mayNameAnyGroup = !system.enforcesEntitlements
    }

    /// Application groups are never the default (GRP-04), and neither is a wildcard.
    private static func defaultGroup(of entitlements: Entitlements, fallback: String?) -> String? {
        let candidates =
            entitlements.keychainAccessGroups
            + [entitlements.applicationIdentifier, fallback].compactMap(\.self)
        return candidates.first {
            !$0.isEmpty && !$0.hasSuffix("*") && $0 != Entitlements.tokenGroup
        }
    }

    /// Whether the program may see items of the group.
    package func mayUse(group: String) -> Bool {
        guard !group.isEmpty else { return false }
        return accessGroups.contains(group) || wildcardPrefixes.contains { group.hasPrefix($0) }
    }
}
