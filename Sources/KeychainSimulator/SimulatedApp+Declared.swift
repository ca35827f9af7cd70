import KeychainHost

extension SimulatedApp {
    /// Returns the endpoint of a program that declares itself to be this app.
    ///
    /// The program's declaration takes precedence over the manifest.
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
    /// The declaration of a program with these entitlements.
    package var identity: DeclaredIdentity {
        DeclaredIdentity(entitlements: entitlements, name: bundleIdentifier)
    }
}
