import FoundationEssentials
import KeychainModel

/// Who this process is: the entitlements that were declared for it.
///
/// In one process nothing can force a program to tell the truth; SECURITY.md says what that means.
/// - Source: requirements GRP-02, GRP-03, GRP-24 to GRP-26; the public contract.
package enum CallerIdentity {
    /// The caller that the environment describes.
    ///
    /// - Throws: `errSecMissingEntitlement` for a file that is named but cannot be read.
    package static func caller(
        _ environment: ProcessEnvironment,
        on system: SystemProfile
    ) throws(KeychainError) -> Caller {
        guard let entitlements = try entitlements(environment) else {
            let group = bundleIdentifier(environment) ?? environment.executableName
            return Caller(entitlements: Entitlements(), system: system, fallbackGroup: group)
        }
        return Caller(entitlements: entitlements, system: system)
    }

    private static func entitlements(
        _ environment: ProcessEnvironment
    ) throws(KeychainError) -> Entitlements? {
        if let named = environment["KEYCHAIN_ENTITLEMENTS"] {
            guard let data = try? Data(contentsOf: URL(filePath: named)) else {
                throw KeychainError(.missingEntitlement, "cannot read \(named)")
            }
            return try EntitlementsFile.parse(data, path: named)
        }
        let beside = environment.executable + ".entitlements"
        guard let data = try? Data(contentsOf: URL(filePath: beside)) else { return nil }
        return try EntitlementsFile.parse(data, path: beside)
    }

    /// `CFBundleIdentifier` of an `Info.plist` beside the executable.
    private static func bundleIdentifier(_ environment: ProcessEnvironment) -> String? {
        struct Info: Decodable { let CFBundleIdentifier: String? }
        let path = environment.executableDirectory + "/Info.plist"
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        return (try? PropertyListDecoder().decode(Info.self, from: data))?.CFBundleIdentifier
    }
}

/// An entitlements property list in Apple's form.
package enum EntitlementsFile {
    private struct Contents: Decodable {
        let applicationIdentifier: String?
        let macApplicationIdentifier: String?
        let teamIdentifier: String?
        let keychainAccessGroups: [String]?
        let applicationGroups: [String]?

        enum CodingKeys: String, CodingKey {
            case applicationIdentifier = "application-identifier"
            case macApplicationIdentifier = "com.apple.application-identifier"
            case teamIdentifier = "com.apple.developer.team-identifier"
            case keychainAccessGroups = "keychain-access-groups"
            case applicationGroups = "com.apple.security.application-groups"
        }
    }

    /// The most bytes a list may have; in more, lists in lists could exhaust the stack of a thread.
    package static let byteCountLimit = 32 * 1024

    /// Reads the list; `$(AppIdentifierPrefix)` becomes the team's prefix.
    ///
    /// - Throws: `errSecMissingEntitlement` for anything but such a list.
    package static func parse(_ data: Data, path: String) throws(KeychainError) -> Entitlements {
        guard data.count <= byteCountLimit else {
            let reason = "\(path) has more than \(byteCountLimit) bytes"
            throw KeychainError(.missingEntitlement, reason)
        }
        guard let contents = try? PropertyListDecoder().decode(Contents.self, from: data) else {
            throw KeychainError(.missingEntitlement, "\(path) is not an entitlements property list")
        }
        let identifier = contents.applicationIdentifier ?? contents.macApplicationIdentifier
        let team = contents.teamIdentifier ?? identifier.flatMap(teamPrefix)
        let groups = try (contents.keychainAccessGroups ?? []).map { group throws(KeychainError) in
            try resolve(group, team: team, path: path)
        }
        return Entitlements(
            applicationIdentifier: try identifier.map { name throws(KeychainError) in
                try resolve(name, team: team, path: path)
            },
            keychainAccessGroups: groups,
            applicationGroups: contents.applicationGroups ?? []
        )
    }

    /// The letters before the first dot of an application identifier.
    private static func teamPrefix(_ identifier: String) -> String? {
        guard let dot = identifier.firstIndex(of: "."), !identifier.hasPrefix("$") else {
            return nil
        }
        return String(identifier[..<dot])
    }

    private static let prefixVariables = ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]

    private static func resolve(
        _ group: String,
        team: String?,
        path: String
    ) throws(KeychainError) -> String {
        guard let variable = prefixVariables.first(where: group.hasPrefix) else { return group }
        guard let team else {
            let reason = "\(path) uses \(variable) but names no team"
            throw KeychainError(.missingEntitlement, reason)
        }
        return team + "." + group.dropFirst(variable.count)
    }
}
