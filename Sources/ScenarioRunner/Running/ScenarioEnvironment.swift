import Foundation
import KeychainModel
import KeychainSimulator
import ProtectedFiles

/// The devices of one run, and their common time.
struct ScenarioEnvironment {
    let scenario: Scenario
    private(set) var devices: [ScenarioDevice] = []
    /// Seconds since the start.
    private(set) var now = 0.0
    /// The account that devices sign in to.
    let account = SimulatedSyncAccount()
    var backups: [String: Data] = [:]
    /// Every value that the scenario gave an item, by the item's name.
    var written: [String: Set<String>] = [:]
    /// Every content that the scenario gave a file, by the file's name.
    var writtenFiles: [String: Set<String>] = [:]
    /// The last class of each file, by the file's name.
    var classes: [String: FileClass] = [:]

    /// Makes the devices and installs every app on them.
    ///
    /// - Throws: `SimulatorError` if a device cannot be made.
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

    /// Returns the device with a name; parsing has checked that it exists.
    func device(_ name: String) -> ScenarioDevice {
        devices.first { $0.setup.name == name } ?? devices[0]
    }

    func file(_ name: String) -> Scenario.FileSetup? { scenario.files.first { $0.name == name } }

    func item(_ name: String) -> Scenario.ItemSetup? { scenario.items.first { $0.name == name } }

    /// Advances the time on every device, and stops at each moment at which keys are evicted.
    ///
    /// - Parameters:
    ///   - moment: The new time, in seconds since the start.
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

/// A device of a scenario, with its installed apps.
final class ScenarioDevice {
    let setup: Scenario.DeviceSetup
    let device: SimulatedDevice
    /// The behavior of the device in this run.
    let behavior: Scenario.BehaviorName
    private(set) var apps: [String: SimulatedApp] = [:]
    /// The current passcode.
    var passcode: String?
    /// The end of a grace period, in seconds since the start; nil if there is none.
    var evictionMoment: Double?
    /// The open files of apps, by name.
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

    /// Whether the end of a grace period has evicted keys.
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

    /// Forgets apps that were uninstalled.
    func forget(_ names: some Sequence<String>) { for name in names { apps[name] = nil } }
}
