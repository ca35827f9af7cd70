import KeychainModel

/// The outcomes of this machine's own keychain where documentation and source disagree.
///
/// - Source: Documentation/Contradictions.md.
package enum HostBehavior {
    /// The values of `KEYCHAIN_BEHAVIOR`.
    private static let named: KeyValuePairs<String, BehaviorProfile> = [
        "documented": .documented, "appleSource": .appleSource,
    ]

    /// Returns the profile in `KEYCHAIN_BEHAVIOR`, or else ``standard``.
    package static func profile(_ environment: ProcessEnvironment) -> BehaviorProfile {
        named.first { $0.key == environment["KEYCHAIN_BEHAVIOR"] }?.value ?? standard
    }

    /// Throws for an unknown name, so that a typo does not silently choose other outcomes.
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
    /// Shipped programs rely on them. One updates first, with an access control among the new
    /// values, and adds the item if none is found. Another requires biometry and the passcode
    /// without an operator. With the guides' outcomes, neither ever stores anything.
    package static let standard = BehaviorProfile.appleSource
}
