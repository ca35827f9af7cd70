public import Foundation
import KeychainEngine
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
    }

    /// Runs code as this app.
    ///
    /// The code's tasks inherit the app; threads and dispatch queues that it starts do not, see
    /// ``adoptProcess()``.
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
    /// For code that starts threads or dispatch queues, which do not inherit the running app. Only
    /// for processes that run one such test at a time; ends with ``SimulatedApp/releaseProcess()``.
    public func adoptProcess(_ execution: Execution = .foreground) {
        Connection.setProcessWide(endpoint(execution))
    }

    /// Ends what ``adoptProcess(_:)`` began.
    public static func releaseProcess() { Connection.setProcessWide(nil) }

    func endpoint(_ execution: Execution) -> AppEndpoint {
        AppEndpoint(device: device, app: self, canPrompt: execution == .foreground)
    }
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

/// An app's way to its device's keychain.
struct AppEndpoint: Endpoint {
    let device: SimulatedDevice
    let app: SimulatedApp
    let canPrompt: Bool

    var profiles: Profiles { device.engine.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        // A context may end after its app; what it proved ends all the same.
        if case .authenticate(.end) = request {
            return try device.engine.perform(request, from: caller)
        }
        defer { device.deliver() }
        let prompter = SimulatedPrompter(device: device, app: app.manifest.bundleIdentifier)
        return try route(request) { request, caller throws(KeychainError) in
            try device.engine.perform(request, from: caller, asking: prompter)
        }
    }

    /// Finds out which of the device's keychains a request is for, and as whom it goes there.
    func route(
        _ request: Request,
        _ perform: (Request, Caller) throws(KeychainError) -> Reply
    ) throws(KeychainError) -> Reply {
        try requireInstallation()
        let files = FileBasedKeychain(profiles: profiles, canPrompt: canPrompt)
        if files.isMeant(by: request) {
            return try files.perform(request) { request throws(KeychainError) in
                try perform(request, files.caller)
            }
        }
        if app.manifest.isSystemDaemon, FileBasedKeychain.namesDataProtection(request) {
            let reason = "the data protection keychain belongs to a user's session"
            throw KeychainError(.interactionNotAllowed, reason)
        }
        return try perform(request, caller)
    }

    /// Refuses an app that was uninstalled.
    private func requireInstallation() throws(KeychainError) {
        let bundleIdentifier = app.manifest.bundleIdentifier
        guard device.installations.isInstalled(app.sandbox, of: bundleIdentifier) else {
            throw KeychainError(.missingEntitlement, "\(bundleIdentifier) is not installed")
        }
    }

    private var caller: Caller {
        Caller(
            entitlements: app.manifest.entitlements,
            system: profiles.system,
            canPrompt: canPrompt
        )
    }

    func note(_ finding: Finding) { device.log.note(finding) }
}
