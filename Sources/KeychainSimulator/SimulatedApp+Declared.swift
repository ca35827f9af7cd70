import KeychainHost

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
