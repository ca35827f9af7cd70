import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel

/// The connection from an app to its device's keychain.
struct AppEndpoint: Endpoint {
    let device: SimulatedDevice
    let launch: AppLaunch

    var profiles: Profiles { device.engine.profiles }
    private var canPrompt: Bool { launch.execution == .foreground }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        // A context may outlive its app, so its end is always accepted; its proofs end with it.
        if case .authenticate(.end) = request {
            return try perform(request, caller)
        }
        defer { device.deliver() }
        return try route(request) { request, caller throws(KeychainError) in
            try perform(request, caller)
        }
    }

    /// Performs a request in the device's engine, or through the call carrier.
    private func perform(
        _ request: Request,
        _ caller: Caller
    ) throws(KeychainError) -> Reply {
        let app = launch.manifest.bundleIdentifier
        let prompter = SimulatedPrompter(device: device, app: app)
        guard let carrier = SimulatedDevice.callCarrier else {
            return try device.engine.perform(request, from: caller, asking: prompter)
        }
        let log = device.log
        let call = CarriedCall(
            engine: device.engine,
            caller: caller,
            app: app,
            prompter: prompter,
            note: { log.note($0) }
        )
        return try carrier.carry(request, call)
    }

    /// Determines the keychain that a request is for, and the caller to name there.
    func route(
        _ request: Request,
        _ perform: (Request, Caller) throws(KeychainError) -> Reply
    ) throws(KeychainError) -> Reply {
        try requireInstallation()
        switch request {
        case .maintenance:
            throw KeychainError(.missingEntitlement, "an app does no maintenance")
        case .synchronization:
            throw KeychainError(.missingEntitlement, "an app does not synchronize; the device does")
        case .items, .elementKey, .authenticate, .device, .fileKeys: break
        }
        let files = FileBasedKeychain(profiles: profiles, canPrompt: canPrompt)
        if files.isMeant(by: request) {
            return try files.perform(request) { request throws(KeychainError) in
                try perform(request, files.caller)
            }
        }
        if launch.manifest.isSystemDaemon, FileBasedKeychain.namesDataProtection(request) {
            let reason = "the data protection keychain belongs to a user's session"
            throw KeychainError(.interactionNotAllowed, reason)
        }
        return try perform(request, caller)
    }

    /// Throws if the app was uninstalled.
    private func requireInstallation() throws(KeychainError) {
        let bundleIdentifier = launch.manifest.bundleIdentifier
        guard device.installations.isInstalled(launch.sandbox, of: bundleIdentifier) else {
            throw KeychainError(.missingEntitlement, "\(bundleIdentifier) is not installed")
        }
    }

    private var caller: Caller {
        let declared = launch.declared
        let usual = declared == nil ? launch.manifest.entitlements : Entitlements()
        return Caller(
            entitlements: declared?.entitlements ?? usual,
            system: profiles.system,
            fallbackGroup: declared?.name,
            canPrompt: canPrompt
        )
    }

    func note(_ finding: Finding) { device.log.note(finding) }
}
