import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSimulator
import Synchronization

// Definitions  "program": a process that talks to the device through a socket.
// Invariants   (1) A program runs as the app of the name that it declares, which its first request
//                  installs.
//              (2) An app that the command uninstalled stays so for the programs that ran as it;
//                  a program that connects later installs it again, as a person would.

/// A simulated device that other processes use, and that a command acts on.
///
/// - Source: Documentation/Spec/scenario.md §8; requirements SIM-19, DMN-20.
package final class ServedDevice: Sendable {
    private struct State {
        var environment: ScenarioEnvironment
        /// The apps that run in the background.
        var background: Set<String> = []
        /// Where the apps run that no command named.
        var usualExecution = SimulatedApp.Execution.foreground
        /// The apps that a command named.
        var named: Set<String> = []

        /// The one device.
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

    /// Makes a device, unlocked, without apps.
    ///
    /// - Throws: `SimulatorError` if it cannot be made.
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

// For programs.
extension ServedDevice {
    /// A program's place on the device.
    package struct Program: Sendable {
        let app: SimulatedApp
        let identity: DeclaredIdentity
    }

    /// Lets a program run, as the app that it declares itself to be.
    ///
    /// Without entitlements of its own, it has those that `install` gave the app of its name.
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

    /// Carries out a program's request; `collect` takes each finding.
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

// For the command.
extension ServedDevice {
    /// Carries out a command.
    ///
    /// - Returns: What it prints; empty for most.
    /// - Throws: why it did not work; the device is then as it was.
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
    /// The letters and digits of a team's prefix.
    private static let teamLength = 10

    /// The bundle identifier: what the application identifier names behind the team's prefix.
    fileprivate var bundleIdentifier: String {
        guard let identifier = entitlements?.applicationIdentifier else { return name }
        let team = identifier.prefix { $0.isUppercase || $0.isNumber }
        guard team.count == Self.teamLength else { return identifier }
        let rest = identifier.dropFirst(Self.teamLength)
        return rest.first == "." && rest.count > 1 ? String(rest.dropFirst()) : identifier
    }
}

extension SimulatedApp.Manifest {
    /// Whether the app was installed because a program of its name ran.
    fileprivate var isPlain: Bool { self == Self(bundleIdentifier: bundleIdentifier) }
}
