import KeychainModel

/// Which outcomes this machine's own keychain follows where documentation and source disagree.
///
/// - Source: Documentation/Contradictions.md.
package enum HostBehavior {
    /// What `KEYCHAIN_BEHAVIOR` may say.
    private static let named: KeyValuePairs<String, BehaviorProfile> = [
        "documented": .documented, "appleSource": .appleSource,
    ]

    /// The profile that `KEYCHAIN_BEHAVIOR` names; else ``standard``.
    package static func profile(_ environment: ProcessEnvironment) -> BehaviorProfile {
        named.first { $0.key == environment["KEYCHAIN_BEHAVIOR"] }?.value ?? standard
    }

    /// Refuses a name that no profile has: a slip must not choose the other outcomes in silence.
    ///
    /// - Throws: `errSecParam`.
    package static func check(_ environment: ProcessEnvironment) throws(KeychainError) {
        guard let name = environment["KEYCHAIN_BEHAVIOR"], !name.isEmpty,
            !named.contains(where: { $0.key == name })
        else { return }
        let names = named.map(\.key).joined(separator: " or ")
        throw KeychainError(.param, "invalid value '\(name)' of KEYCHAIN_BEHAVIOR: set \(names)")
    }

    /// The outcomes of Apple's source.
    ///
    /// Shipped programs rely on them: one updates first, with an access control among the new
    /// values, and adds where nothing is found; another asks for biometry and the passcode
    /// without an operator. Under the guides' outcomes neither ever stores anything.
    package static let standard = BehaviorProfile.appleSource
}
