import KeychainHost
import KeychainModel

/// An app on a simulated device; code that runs in it uses that device's keychain.
///
/// ```swift
/// let phone = try SimulatedDevice()
/// let app = phone.install(.init(bundleIdentifier: "com.example.app"))
/// let status = app.run(.background) { SecItemCopyMatching(query, nil) }
/// ```
public final class SimulatedApp: Sendable {
    /// The identifiers and entitlements that an app declares.
    ///
    /// ```swift
    /// let manifest = SimulatedApp.Manifest(
    ///     bundleIdentifier: "com.example.app",
    ///     keychainAccessGroups: ["com.example.shared"]
    /// )
    /// ```
    public struct Manifest: Sendable, Hashable {
        /// The bundle identifier, such as `com.example.app`.
        public let bundleIdentifier: String
        /// The team prefix of ten letters and digits, which the system adds to identifier and
        /// groups.
        public let teamIdentifier: String
        /// The keychain access groups without the team prefix; the first one is the default group.
        public let keychainAccessGroups: [String]
        /// The application groups, such as `group.com.example`.
        public let applicationGroups: [String]
        /// The associated domains, such as `webcredentials:example.com`.
        public let associatedDomains: [String]
        /// Whether the app runs outside of any user's session, like a Mac's system daemons.
        public let isSystemDaemon: Bool

        /// Creates a manifest; pass groups without the team prefix, which the system adds.
        public init(
            bundleIdentifier: String,
            teamIdentifier: String = "TEAMID1234",
            keychainAccessGroups: [String] = [],
            applicationGroups: [String] = [],
            associatedDomains: [String] = [],
            isSystemDaemon: Bool = false
        ) {
            self.bundleIdentifier = bundleIdentifier
            self.teamIdentifier = teamIdentifier
            self.keychainAccessGroups = keychainAccessGroups
            self.applicationGroups = applicationGroups
            self.associatedDomains = associatedDomains
            self.isSystemDaemon = isSystemDaemon
        }
    }

    /// Whether the app can show a prompt.
    ///
    /// ```swift
    /// let status = app.run(.background) { SecItemCopyMatching(query, nil) }
    /// ```
    public enum Execution: Sendable, Hashable {
        /// The app is in front of the user and can show prompts.
        case foreground
        /// The app has no interface and cannot show prompts.
        case background
    }

    /// The app's declarations.
    public let manifest: Manifest
    let sandbox: AppInstallations.Sandbox
    let device: SimulatedDevice

    init(_ manifest: Manifest, on device: SimulatedDevice) {
        self.manifest = manifest
        self.device = device
        sandbox = device.installations.install(manifest)
        device.noteInstallation(of: self)
    }

    /// Runs code as this app.
    ///
    /// Tasks of the code inherit the app. Dispatch queues, operation queues, threads and detached
    /// tasks do not: wrap their work in `carrying(_:_:)`. A call that belongs to no app fails;
    /// see ``SimulatedDevice/strayFindings``.
    public func run<R>(
        _ execution: Execution = .foreground,
        _ body: () throws -> R
    ) rethrows -> R {
        try RequestRouter.$current.withValue(endpoint(execution), operation: body)
    }

    /// Runs asynchronous code as this app.
    nonisolated(nonsending) public func run<R>(
        _ execution: Execution = .foreground,
        _ body: () async throws -> R
    ) async rethrows -> R {
        try await RequestRouter.$current.withValue(endpoint(execution), operation: body)
    }

    /// Runs code in the app before its first use, in the background.
    ///
    /// From iOS 15 on, the system prewarms apps, possibly before the first unlock.
    ///
    /// - Returns: The value of the code. On a system that does not prewarm apps, the code does not
    ///   run and the result is nil.
    /// - Source: Apple's "About the app launch sequence".
    public func prewarm<R>(_ body: () throws -> R) rethrows -> R? {
        guard device.system.prewarmsApps else { return nil }
        return try run(.background, body)
    }

    /// Runs every call of this process that belongs to no other app in this one.
    ///
    /// Use it for threads and queues that `carrying(_:_:)` cannot reach, and only in a process
    /// that runs one such test at a time. ``SimulatedApp/releaseProcess()`` ends it.
    ///
    /// ```swift
    /// app.adoptProcess()
    /// defer { SimulatedApp.releaseProcess() }
    /// ```
    public func adoptProcess(_ execution: Execution = .foreground) {
        RequestRouter.setProcessWide(endpoint(execution))
    }

    /// Ends the effect of ``adoptProcess(_:)``.
    public static func releaseProcess() { RequestRouter.setProcessWide(nil) }

    /// Returns the endpoint of this app, and records it as the last one that ran.
    func endpoint(_ execution: Execution) -> AppEndpoint { endpoint(launch(execution)) }

    func endpoint(_ launch: AppLaunch) -> AppEndpoint {
        device.note(launch)
        return AppEndpoint(device: device, launch: launch)
    }

    var autoFillState: AutoFillState { device.autoFill }

    /// The endpoint for installations by device management, which do not run the app.
    var managementEndpoint: AppEndpoint {
        AppEndpoint(device: device, launch: launch(.background))
    }

    /// The endpoint for previews, which do not count as calls.
    var previewEndpoint: AppEndpoint { AppEndpoint(device: device, launch: launch(.foreground)) }

    func launch(_ execution: Execution) -> AppLaunch {
        AppLaunch(manifest: manifest, sandbox: sandbox, execution: execution)
    }
}

/// A running app, without references to the app's object or the device.
struct AppLaunch: Sendable {
    let manifest: SimulatedApp.Manifest
    let sandbox: AppInstallations.Sandbox
    let execution: SimulatedApp.Execution
    /// The declaration of a program in another process; nil if the manifest counts.
    var declared: DeclaredIdentity?
}

// Other names for the background execution, which cannot show prompts.
extension SimulatedApp.Execution {
    /// The execution of an extension that the system starts for a push notification.
    public static let notificationService = SimulatedApp.Execution.background
    /// The execution of an extension that draws a widget.
    public static let widget = SimulatedApp.Execution.background
}

extension SimulatedDevice {
    /// Installs an app, or updates the installed app with the same bundle identifier.
    public func install(_ app: SimulatedApp.Manifest) -> SimulatedApp {
        SimulatedApp(app, on: self)
    }

    /// Removes an app with its sandbox, its files and its defaults; its keychain items remain.
    ///
    /// The container and defaults of an app group go with the last app of the group.
    public func uninstall(_ app: SimulatedApp) {
        installations.uninstall(app.manifest.bundleIdentifier)
        forgetLaunch(of: app.manifest)
    }
}

extension SimulatedApp.Manifest {
    /// The app's entitlements with the team prefix that the system adds.
    var entitlements: Entitlements {
        Entitlements(
            applicationIdentifier: bundleIdentifier.isEmpty ? nil : prefixed(bundleIdentifier),
            keychainAccessGroups: keychainAccessGroups.map(prefixed),
            applicationGroups: applicationGroups
        )
    }

    private func prefixed(_ name: String) -> String { teamIdentifier + "." + name }
}
