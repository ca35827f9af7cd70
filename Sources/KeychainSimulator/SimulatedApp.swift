public import Foundation
import KeychainHost
import KeychainModel

/// An app installed on a simulated device; code that runs in it talks to that device's keychain.
public final class SimulatedApp: Sendable {
    /// What an app declares of itself.
    public struct Manifest: Sendable, Hashable {
        /// Such as `com.example.app`.
        public let bundleIdentifier: String
        /// The ten letters that the system puts in front of identifier and groups.
        public let teamIdentifier: String
        /// Keychain access groups without the team prefix; the first is the default group.
        public let keychainAccessGroups: [String]
        /// Application groups, such as `group.com.example`.
        public let applicationGroups: [String]
        /// Whether it runs outside of any user's session, as a Mac's system daemons do.
        public let isSystemDaemon: Bool

        /// Groups are given without the team prefix; the system adds it.
        public init(
            bundleIdentifier: String,
            teamIdentifier: String = "TEAMID1234",
            keychainAccessGroups: [String] = [],
            applicationGroups: [String] = [],
            isSystemDaemon: Bool = false
        ) {
            self.bundleIdentifier = bundleIdentifier
            self.teamIdentifier = teamIdentifier
            self.keychainAccessGroups = keychainAccessGroups
            self.applicationGroups = applicationGroups
            self.isSystemDaemon = isSystemDaemon
        }
    }

    /// Whether a prompt can be shown.
    public enum Execution: Sendable, Hashable {
        /// In front of the user.
        case foreground
        /// Without an interface: no prompt can be shown.
        case background
    }

    /// What the app declared.
    public let manifest: Manifest
    let sandbox: AppInstallations.Sandbox
    private let device: SimulatedDevice

    init(_ manifest: Manifest, on device: SimulatedDevice) {
        self.manifest = manifest
        self.device = device
        sandbox = device.installations.install(manifest.bundleIdentifier)
        device.noteInstallation(of: self)
    }

    /// Runs code as this app.
    ///
    /// The code's tasks inherit the app. Dispatch queues, operation queues, threads and detached
    /// tasks do not: hand them ``carrying(_:_:)``. A call that belongs to no
    /// app is refused, see ``SimulatedDevice/strayFindings``.
    public func run<R>(
        _ execution: Execution = .foreground,
        _ body: () throws -> R
    ) rethrows -> R {
        try Connection.$current.withValue(endpoint(execution), operation: body)
    }

    /// Runs asynchronous code as this app.
    nonisolated(nonsending) public func run<R>(
        _ execution: Execution = .foreground,
        _ body: () async throws -> R
    ) async rethrows -> R {
        try await Connection.$current.withValue(endpoint(execution), operation: body)
    }

    /// Starts the app ahead of its first use, as systems do from iOS 15 on, and runs code in it: in
    /// the background, and maybe before the device was unlocked for the first time.
    ///
    /// - Returns: nil on a system that does not, where the code does not run.
    public func prewarm<R>(_ body: () throws -> R) rethrows -> R? {
        guard device.system.prewarmsApps else { return nil }
        return try run(.background, body)
    }

    /// Makes every call of this process that runs in no other app run in this one.
    ///
    /// For code whose threads and dispatch queues are out of reach of ``carrying(_:_:)``. Only for
    /// processes that run one such test at a time; ends with ``SimulatedApp/releaseProcess()``.
    public func adoptProcess(_ execution: Execution = .foreground) {
        Connection.setProcessWide(endpoint(execution))
    }

    /// Ends what ``adoptProcess(_:)`` began.
    public static func releaseProcess() { Connection.setProcessWide(nil) }

    /// The way of this app's calls, which makes it the last one that ran.
    func endpoint(_ execution: Execution) -> AppEndpoint {
        let launch = launch(execution)
        device.note(launch)
        return AppEndpoint(device: device, launch: launch)
    }

    /// The way of calls that are not made.
    var previewEndpoint: AppEndpoint { AppEndpoint(device: device, launch: launch(.foreground)) }

    func launch(_ execution: Execution) -> AppLaunch {
        AppLaunch(manifest: manifest, sandbox: sandbox, execution: execution)
    }
}

/// An app as it runs; it holds neither the app's object nor the device.
struct AppLaunch: Sendable {
    let manifest: SimulatedApp.Manifest
    let sandbox: AppInstallations.Sandbox
    let execution: SimulatedApp.Execution
}

// Executions that are like the background's: nobody is there to be asked.
extension SimulatedApp.Execution {
    /// An extension that the system starts for a push notification.
    public static let notificationService = SimulatedApp.Execution.background
    /// An extension that draws a widget.
    public static let widget = SimulatedApp.Execution.background
}

// What belongs to the app alone.
extension SimulatedApp {
    /// The app's sandbox directory; gone when the app is uninstalled.
    public var container: URL {
        // The directory is made when it is first asked for; a failure shows at its first use.
        try? FileManager.default.createDirectory(
            at: sandbox.container,
            withIntermediateDirectories: true
        )
        return sandbox.container
    }

    /// The app's defaults; gone when the app is uninstalled.
    public var defaults: UserDefaults {
        UserDefaults(suiteName: sandbox.defaultsName) ?? UserDefaults()
    }
}

extension SimulatedDevice {
    /// Installs an app, or updates the installed one with the same bundle identifier.
    public func install(_ app: SimulatedApp.Manifest) -> SimulatedApp {
        SimulatedApp(app, on: self)
    }

    /// Removes the app's sandbox and defaults; its keychain items stay.
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
