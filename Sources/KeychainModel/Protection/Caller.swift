/// The calling program: its access groups, and whether it can prompt.
package struct Caller: Sendable, Hashable {
    /// The groups that it may name, in order; a trailing `*` is a wildcard.
    package let accessGroups: [String]
    /// The group of an item that is added without one; nil if there is none.
    package let defaultGroup: String?
    /// Whether the program may show a prompt.
    package let canPrompt: Bool
    /// Whether it may name every group, as in the iOS Simulator, which checks nothing.
    package let mayNameAnyGroup: Bool
    /// The entries without a wildcard.
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

    /// Returns the default group, which is neither an application group (GRP-04) nor a wildcard.
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
