import KeychainModel

/// Which outcomes this machine's own keychain follows where documentation and source disagree.
///
/// - Source: the R2 rows of Documentation/Conformance.md.
package enum HostBehavior {
    /// The profile that `KEYCHAIN_BEHAVIOR` names, by its name here; else ``standard``.
    package static func profile(_ environment: ProcessEnvironment) -> BehaviorProfile {
        switch environment["KEYCHAIN_BEHAVIOR"] {
        case "documented": .documented
        case "appleSource": .appleSource
        default: standard
        }
    }

    /// The documented outcomes with one exception.
    ///
    /// Well-known wrappers store synchronizable items of a ThisDeviceOnly class, as Apple's systems
    /// let them (C-16). Nothing leaves this machine, so a refusal would break them and guard
    /// nothing; the finding names both outcomes all the same.
    package static let standard = {
        var profile = BehaviorProfile.documented
        profile.synchronizableThisDeviceOnly = .allow
        return profile
    }()
}
