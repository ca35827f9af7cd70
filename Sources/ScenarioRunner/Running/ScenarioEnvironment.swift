import Foundation
import KeychainModel
import KeychainSimulator
import ProtectedFiles

/// The devices of one run, and the time that they share.
struct ScenarioEnvironment {
    let scenario: Scenario
    private(set) var devices: [ScenarioDevice] = []
    /// Seconds since the start.
    private(set) var now = 0.0
    /// What devices sign in to.
    let account = SimulatedSyncAccount()
    var backups: [String: Data] = [:]
    /// Every value that the scenario gave an item, by the item's name.
    var written: [String: Set<String>] = [:]
    /// Every content that the scenario gave a file, by the file's name.
    var writtenFiles: [String: Set<String>] = [:]
    /// The class that each file was given last.
    var classes: [String: FileClass] = [:]

    /// Makes the devices and installs every app on them.
    ///
    /// - Throws: `SimulatorError` when a device cannot be made.
    init(_ scenario: Scenario, as variant: ScenarioRun.Variant) throws {
        self.scenario = scenario
        for setup in scenario.devices {
            let isSimulator = variant.column == .iOSSimulator
            let system = isSimulator ? SystemProfile.iOSSimulator : setup.system
            let behavior = variant.behavior ?? setup.behavior
            let device = try SimulatedDevice(
                passcode: setup.passcode,
                biometry: setup.biometry,
                system: system,
                behavior: behavior.profile
            )
            devices.append(ScenarioDevice(setup, device, behavior, scenario.apps))
        }
    }

    /// The device of that name; the reader has checked that there is one.
    func device(_ name: String) -> ScenarioDevice {
        devices.first { $0.setup.name == name } ?? devices[0]
    }

    func file(_ name: String) -> Scenario.FileSetup? { scenario.files.first { $0.name == name } }

    func item(_ name: String) -> Scenario.ItemSetup? { scenario.items.first { $0.name == name } }

    /// Lets time pass on every device, with a stop wherever keys leave on the way.
    ///
    /// - Parameters:
    ///   - moment: Seconds since the start.
    ///   - keysLeft: Called at each stop.
    mutating func advance(to moment: Double, keysLeft: (ScenarioEnvironment) -> Void) {
        while let deadline = devices.compactMap(\.evictionMoment).min(), deadline <= moment {
            pass(until: deadline)
            var changed = false
            for device in devices where device.evictionMoment == deadline {
                device.evictionMoment = nil
                changed = changed || device.closesItsKeys
            }
            if changed { keysLeft(self) }
        }
        pass(until: moment)
    }

    private mutating func pass(until moment: Double) {
        let duration = Duration.seconds(moment) - .seconds(now)
        for device in devices { device.device.advance(by: duration) }
        now = moment
    }
}

/// A device of a scenario, with the apps that are installed on it.
final class ScenarioDevice {
    let setup: Scenario.DeviceSetup
    let device: SimulatedDevice
    /// The behavior that it has in this run.
    let behavior: Scenario.BehaviorName
    private(set) var apps: [String: SimulatedApp] = [:]
    /// The passcode that the device has.
    var passcode: String?
    /// When a grace period runs out; nil where none does.
    var evictionMoment: Double?
    /// The files that apps have open, by name.
    var openFiles: [String: FileContainer] = [:]

    init(
        _ setup: Scenario.DeviceSetup,
        _ device: SimulatedDevice,
        _ behavior: Scenario.BehaviorName,
        _ apps: [Scenario.AppSetup]
    ) {
        self.setup = setup
        self.device = device
        self.behavior = behavior
        passcode = setup.passcode
        for app in apps { install(app) }
    }

    /// Whether the end of a grace period took keys away.
    fileprivate var closesItsKeys: Bool {
        device.state == .locked && !device.isProtectedDataAvailable
    }

    @discardableResult
    func install(_ app: Scenario.AppSetup) -> SimulatedApp {
        let installed = device.install(app.manifest)
        apps[app.name] = installed
        return installed
    }

    func uninstall(_ name: String) {
        if let app = apps[name] { device.uninstall(app) }
    }

    /// Forgets apps that are not installed any more.
    func forget(_ names: some Sequence<String>) { for name in names { apps[name] = nil } }
}
