import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSimulator
import Synchronization

// Definitions  "program": a process that talks to the device through a socket.
// Invariants   (1) A program runs as the app with the name that it declares. Its first request
//                  installs that app.
//              (2) An uninstalled app stays uninstalled for the programs that ran as it. A program
//                  that connects later installs it again, as a person would.

/// A simulated device that other processes use and that commands control.
///
/// - Source: Documentation/Spec/scenario.md §8; requirements SIM-19, DMN-20.
package final class ServedDevice: Sendable {
    private struct State {
        var environment: ScenarioEnvironment
        /// The apps that run in the background.
        var background: Set<String> = []
        /// The execution of apps that no command has named.
        var usualExecution = SimulatedApp.Execution.foreground
        /// The apps that a command has named.
        var named: Set<String> = []

        /// The only device.
        var target: ScenarioDevice { environment.device("") }

        func execution(of app: String) -> SimulatedApp.Execution {
            guard named.contains(app) else { return usualExecution }
            return background.contains(app) ? .background : .foreground
        }
    }

    package let name: String
    package let device: SimulatedDevice
    private let behavior: Scenario.BehaviorName
    private let state: Mutex<State>

    /// Makes an unlocked device without apps.
    ///
    /// - Throws: `SimulatorError` if the device cannot be made.
    package init(_ setup: Scenario.DeviceSetup) throws {
        let scenario = Scenario(
            title: "",
            devices: [setup],
            apps: [],
            items: [],
            files: [],
            events: []
        )
        let environment = try ScenarioEnvironment(
            scenario,
            as: ScenarioRun.Variant(.device, nil)
        )
        name = setup.name
        behavior = setup.behavior
        device = environment.device("").device
        state = Mutex(State(environment: environment))
    }
}

// The interface for programs.
extension ServedDevice {
    /// A program that runs on the device.
    package struct Program: Sendable {
        let app: SimulatedApp
        let identity: DeclaredIdentity
    }

    /// Starts a program as the app that it declares itself to be.
    ///
    /// A program without entitlements gets those that `install` gave the app with its name.
    package func launch(_ identity: DeclaredIdentity) -> Program {
        let name = identity.bundleIdentifier
        return state.withLock { state in
            let known = state.target.apps[name]?.manifest
            let manifest = known ?? SimulatedApp.Manifest(bundleIdentifier: name)
            let app = state.target.install(Scenario.AppSetup(name: name, manifest: manifest))
            let declaresNothing = identity.entitlements == nil && !manifest.isPlain
            return Program(app: app, identity: declaresNothing ? manifest.identity : identity)
        }
    }

    /// Performs a program's request, and passes each finding to `collect`.
    package func perform(
        _ request: Request,
        from program: Program,
        collecting collect: @escaping @Sendable (Finding) -> Void
    ) throws(KeychainError) -> Reply {
        let name = program.app.manifest.bundleIdentifier
        let execution = state.withLock { $0.execution(of: name) }
        let endpoint = program.app.endpoint(execution, declaring: program.identity)
        return try endpoint.send(request, collecting: collect)
    }
}

// The interface for commands.
extension ServedDevice {
    /// Performs a command.
    ///
    /// - Returns: The output of the command; empty for most commands.
    /// - Throws: The reason of a failure, which leaves the device unchanged.
    package func perform(_ command: DeviceCommand) throws(KeychainError) -> String {
        switch command {
        case .action(let action): try perform(action)
        case .advance(let seconds):
            state.withLock { state in
                state.environment.advance(to: state.environment.now + seconds) { _ in }
            }
        case .install(let manifest):
            let setup = Scenario.AppSetup(name: manifest.bundleIdentifier, manifest: manifest)
            state.withLock { _ = $0.target.install(setup) }
        case .uninstall(let app): try uninstall(app)
        case .execution(let execution, let app): run(execution, app: app)
        case .show(let listing, let asJSON): return try show(listing, asJSON: asJSON)
        case .stop: break
        }
        return ""
    }

    private func perform(_ action: DeviceAction) throws(KeychainError) {
        let outcome = try state.withLock { state throws(KeychainError) in
            if case .restore(let name, _) = action, state.environment.backups[name] == nil {
                let shown = JSONField.quoted(name)
                throw KeychainError(.param, "there is no backup \(shown): make one with backup")
            }
            let target = state.target
            let outcome = state.environment.perform(action, on: target)
            if case .erase = action { target.forget(target.apps.keys) }
            return outcome
        }
        guard outcome.status.isSuccess else {
            let status = SecurityStatus(rawValue: outcome.status.code)
            throw KeychainError(status, outcome.reason ?? "the device refused")
        }
    }

    private func uninstall(_ app: String) throws(KeychainError) {
        let isKnown = state.withLock { state in
            guard state.target.apps[app] != nil else { return false }
            state.target.uninstall(app)
            state.target.forget([app])
            return true
        }
        guard isKnown else {
            throw KeychainError(.param, "no app \(JSONField.quoted(app)) is installed")
        }
    }

    private func run(_ execution: SimulatedApp.Execution, app: String?) {
        state.withLock { state in
            guard let app else {
                state.usualExecution = execution
                state.named = []
                return
            }
            state.named.insert(app)
            if execution == .background {
                state.background.insert(app)
            } else {
                state.background.remove(app)
            }
        }
    }

    private func show(
        _ listing: DeviceCommand.Listing,
        asJSON: Bool
    ) throws(KeychainError) -> String {
        switch listing {
        case .status: try DeviceReport(of: self, behavior, facts).text(asJSON: asJSON)
        case .prompts: try PromptReport(device).text(asJSON: asJSON)
        case .findings: try FindingReport(device.findings).text(asJSON: asJSON)
        }
    }

    private var facts: DeviceReport.Facts {
        state.withLock { state in
            DeviceReport.Facts(
                seconds: state.environment.now,
                hasPasscode: state.target.passcode != nil,
                apps: state.target.apps.keys.sorted().map { app in
                    DeviceReport.App(name: app, execution: state.execution(of: app).name)
                }
            )
        }
    }
}

extension DeclaredIdentity {
    /// The length of a team's prefix.
    private static let teamLength = 10

    /// The bundle identifier: the application identifier without the team's prefix.
    fileprivate var bundleIdentifier: String {
        guard let identifier = entitlements?.applicationIdentifier else { return name }
        let team = identifier.prefix { $0.isUppercase || $0.isNumber }
        guard team.count == Self.teamLength else { return identifier }
        let rest = identifier.dropFirst(Self.teamLength)
        return rest.first == "." && rest.count > 1 ? String(rest.dropFirst()) : identifier
    }
}

extension SimulatedApp.Manifest {
    /// Whether the app was installed only because a program with its name ran.
    fileprivate var isPlain: Bool { self == Self(bundleIdentifier: bundleIdentifier) }
}
