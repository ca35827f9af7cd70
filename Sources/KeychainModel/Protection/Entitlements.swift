/// The entitlements of a program, with Apple's keys.
///
/// - Source: requirements GRP-01 to GRP-11, GRP-25.
package struct Entitlements: Sendable, Hashable {
    /// `application-identifier`, such as `TEAMID.com.example.app`.
    package var applicationIdentifier: String?
    /// `keychain-access-groups`, with the team prefix; a trailing `*` is a wildcard.
    package var keychainAccessGroups: [String]
    /// `com.apple.security.application-groups`, without a team prefix.
    package var applicationGroups: [String]

    package init(
        applicationIdentifier: String? = nil,
        keychainAccessGroups: [String] = [],
        applicationGroups: [String] = []
    ) {
        self.applicationIdentifier = applicationIdentifier
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationGroups = applicationGroups
    }

    /// The group of tokens, which every program may name and none may write.
    package static let tokenGroup = "com.apple.token"

    /// Returns the program's access groups in the order in which the system lists them.
    package func accessGroups(on system: SystemProfile) -> [String] {
        var groups = keychainAccessGroups
        if let applicationIdentifier { groups.append(applicationIdentifier) }
        if system.applicationGroupsAreAccessGroups { groups += applicationGroups }
        var seen = Set<String>()
        return groups.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
