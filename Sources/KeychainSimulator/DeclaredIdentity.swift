import KeychainModel

/// What a program outside of this process declares itself to be.
///
/// A simulated device guards nothing, so a declaration counts, as it does for an embedded keychain.
package struct DeclaredIdentity: Sendable, Hashable {
    /// The entitlements of the program; nil where it has none.
    package let entitlements: Entitlements?
    /// The bundle identifier, else the executable's name.
    package let name: String

    package init(entitlements: Entitlements?, name: String) {
        self.entitlements = entitlements
        self.name = name
    }
}

extension SimulatedApp {
    /// The way of the calls of a program that declares itself to be this app.
    ///
    /// What the program declares counts more than the manifest.
    package func endpoint(
        _ execution: Execution,
        declaring identity: DeclaredIdentity
    ) -> any ObservedEndpoint {
        let launch = AppLaunch(
            manifest: manifest,
            sandbox: sandbox,
            execution: execution,
            declared: identity
        )
        return self.endpoint(launch)
    }
}

extension SimulatedApp.Manifest {
    /// What a program would declare that has these entitlements.
    package var identity: DeclaredIdentity {
        DeclaredIdentity(entitlements: entitlements, name: bundleIdentifier)
    }
}
