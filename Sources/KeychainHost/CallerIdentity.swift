import KeychainModel

/// The identity of this process: its declaration, or else its name.
///
/// Within one process nothing can force a program to tell the truth; SECURITY.md explains the
/// consequences.
/// - Source: requirements GRP-02, GRP-03, GRP-24 to GRP-26, USE-04; the public contract.
package struct CallerIdentity: Sendable {
    /// The source of the program's groups.
    package enum Origin: Sendable, Hashable {
        /// The property list in `KEYCHAIN_ENTITLEMENTS`.
        case named(path: String)
        /// The entitlements beside the executable.
        case beside(path: String)
        /// The entitlements beside the library that acts for the program.
        case library(path: String)
        /// The `Info.plist` beside the executable.
        case bundle(path: String)
        /// The executable's name.
        case name
    }

    /// The groups of our own programs.
    ///
    /// The command keeps the group of its former name, so that it still sees its items. The
    /// programs that serve other programs show the same items.
    private static let keptGroups = [
        "keychainctl": "keychain", "keychain-secret-service": "keychain",
        "keychain-ssh-agent": "keychain", "keychain-browser": "keychain",
    ]

    package let origin: Origin
    private let entitlements: Entitlements?
    /// The bundle identifier, or else the executable's name.
    package let fallbackGroup: String

    /// Creates the identity that an environment describes.
    ///
    /// - Throws: `errSecMissingEntitlement` for a named file that cannot be read.
    package init(_ environment: ProcessEnvironment) throws(KeychainError) {
        let beside = environment.executable + ".entitlements"
        let bundle = environment.executableDirectory + "/Info.plist"
        let name = environment.executableName
        var fallback = Self.keptGroups[name] ?? name
        if let named = environment["KEYCHAIN_ENTITLEMENTS"] {
            guard let bytes = SmallFile.bytes(at: named) else {
                throw KeychainError(.missingEntitlement, "cannot read \(named)")
            }
            entitlements = try EntitlementsFile.parse(bytes, path: named)
            origin = .named(path: named)
        } else if let bytes = SmallFile.bytes(at: beside) {
            entitlements = try EntitlementsFile.parse(bytes, path: beside)
            origin = .beside(path: beside)
        } else if let library = HostingLibrary.entitlements,
            let bytes = SmallFile.bytes(at: library)
        {
            entitlements = try EntitlementsFile.parse(bytes, path: library)
            origin = .library(path: library)
        } else if let identifier = Self.bundleIdentifier(bundle) {
            entitlements = nil
            origin = .bundle(path: bundle)
            fallback = identifier
        } else {
            entitlements = nil
            origin = .name
        }
        fallbackGroup = fallback
    }

    /// Returns the caller, as far as it is known without the keychain.
    ///
    /// - Parameters:
    ///   - system: The system whose rules apply.
    ///   - recordedGroup: The recorded group of a program that declares none.
    /// - Returns: The groups of the entitlements; without any, one group.
    package func caller(on system: SystemProfile, recordedGroup: String? = nil) -> Caller {
        guard let entitlements else {
            let group = recordedGroup ?? fallbackGroup
            return Caller(entitlements: Entitlements(), system: system, fallbackGroup: group)
        }
        return Caller(entitlements: entitlements, system: system)
    }

    /// The entitlements that a file declares; nil if there are none.
    package var declaredEntitlements: Entitlements? { entitlements }

    /// Returns the default group that a file declares for the program; nil if there is none.
    package func declaredGroup(on system: SystemProfile) -> String? {
        origin == .name ? nil : caller(on: system).defaultGroup
    }

    /// Returns `CFBundleIdentifier` of an `Info.plist`.
    private static func bundleIdentifier(_ path: String) -> String? {
        guard let bytes = SmallFile.bytes(at: path) else { return nil }
        return try? PropertyList(bytes).text(of: "CFBundleIdentifier")
    }
}

extension CallerIdentity.Origin {
    /// The source of the groups, as the end of a sentence.
    package var words: String {
        switch self {
        case .named(let path): "\(path), which KEYCHAIN_ENTITLEMENTS names"
        case .beside(let path), .library(let path), .bundle(let path): path
        case .name: "the program's first use of this keychain"
        }
    }
}

/// An entitlements property list in Apple's form.
package enum EntitlementsFile {
    /// The content of a list.
    private struct Contents {
        let applicationIdentifier: String?
        let teamIdentifier: String?
        let keychainAccessGroups: [String]
        let applicationGroups: [String]

        init(_ list: PropertyList) throws(PropertyList.Damage) {
            let macIdentifier = try list.text(of: "com.apple.application-identifier")
            applicationIdentifier = try list.text(of: "application-identifier") ?? macIdentifier
            teamIdentifier = try list.text(of: "com.apple.developer.team-identifier")
            keychainAccessGroups = try list.texts(of: "keychain-access-groups") ?? []
            let groups = try list.texts(of: "com.apple.security.application-groups")
            applicationGroups = groups ?? []
        }
    }

    /// The most bytes of a list; deeply nested lists in a larger one could exhaust a thread's
    /// stack.
    package static let byteCountLimit = 32 * 1024

    /// Parses the list, and replaces `$(AppIdentifierPrefix)` by the team's prefix.
    ///
    /// - Throws: `errSecMissingEntitlement` for anything else.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        path: String
    ) throws(KeychainError) -> Entitlements {
        guard bytes.count <= byteCountLimit else {
            let reason = "\(path) has more than \(byteCountLimit) bytes"
            throw KeychainError(.missingEntitlement, reason)
        }
        guard let contents = try? Contents(PropertyList(Array(bytes))) else {
            throw KeychainError(.missingEntitlement, "\(path) is not an entitlements property list")
        }
        let identifier = contents.applicationIdentifier
        let team = contents.teamIdentifier ?? identifier.flatMap(teamPrefix)
        let groups = try contents.keychainAccessGroups.map { group throws(KeychainError) in
            try resolve(group, team: team, path: path)
        }
        return Entitlements(
            applicationIdentifier: try identifier.map { name throws(KeychainError) in
                try resolve(name, team: team, path: path)
            },
            keychainAccessGroups: groups,
            applicationGroups: contents.applicationGroups
        )
    }

    /// Returns the letters before the first dot of an application identifier.
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
