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

    /// The outcomes of Apple's source.
    ///
    /// Shipped programs rely on them: one updates first, with an access control among the new
    /// values, and adds where nothing is found (C-03); another asks for biometry and the passcode
    /// without an operator (C-01). Under the guides' outcomes neither ever stores anything.
    package static let standard = BehaviorProfile.appleSource
}
