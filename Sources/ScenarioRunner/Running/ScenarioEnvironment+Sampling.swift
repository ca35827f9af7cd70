import KeychainModel
import KeychainServices
import KeychainSimulator

// The state of devices and items, determined without changing them.
extension ScenarioEnvironment {
    /// Returns the current state of every device and item.
    func sample(after step: Int) -> ScenarioSample {
        ScenarioSample(at: now, step: step, devices: devices.map(sample))
    }

    private func sample(of target: ScenarioDevice) -> DeviceSample {
        DeviceSample(
            name: target.setup.name,
            state: target.device.state.name,
            classKeys: target.device.openClasses.map(\.suffix),
            items: scenario.items.map { sample(of: $0, on: target) },
            files: scenario.files.map { sample(of: $0, on: target) }
        )
    }

    private func sample(of item: Scenario.ItemSetup, on target: ScenarioDevice) -> ItemSample {
        guard let app = target.apps[item.app] else {
            return ItemSample(item.name, errSecMissingEntitlement, asks: nil)
        }
        let (status, factor) = app.lookingAhead { item.read().status }
        return ItemSample(
            item.name,
            status,
            asks: factor?.name(on: target.device)
        )
    }
}

extension ItemSample {
    fileprivate init(_ name: String, _ status: OSStatus, asks: String?) {
        self.name = name
        self.status = status
        self.asks = asks
        outcome =
            switch status {
            case _ where asks != nil: .asks
            case errSecSuccess: .readable
            case errSecInteractionNotAllowed: .locked
            case errSecItemNotFound: .absent
            default: .refused
            }
    }
}

extension Factor {
    fileprivate func name(on device: SimulatedDevice) -> String {
        switch self {
        case .passcode: "passcode"
        case .biometry, .currentBiometry: device.biometry.presented
        case .companion: "companion"
        case .applicationPassword: "applicationPassword"
        }
    }
}

extension SimulatedDevice.Biometry {
    /// The body part that the sensor reads.
    var presented: String { self == .touchID ? "finger" : "face" }
}

extension SimulatedDevice.State {
    /// The word in reports.
    var name: String {
        switch self {
        case .beforeFirstUnlock: "beforeFirstUnlock"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }
}
