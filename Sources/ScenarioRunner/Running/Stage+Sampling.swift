import KeychainModel
import KeychainServices
import KeychainSimulator

// How things stand, seen without touching them.
extension Stage {
    /// Every device and item as it is now.
    func sample(after step: Int) -> ScenarioSample {
        ScenarioSample(at: now, step: step, devices: devices.map(sample))
    }

    private func sample(of staged: StagedDevice) -> DeviceSample {
        DeviceSample(
            name: staged.setup.name,
            state: staged.device.state.name,
            classKeys: staged.device.openClasses.map(\.suffix),
            items: scenario.items.map { sample(of: $0, on: staged) }
        )
    }

    private func sample(of item: Scenario.ItemSetup, on staged: StagedDevice) -> ItemSample {
        guard let app = staged.apps[item.app] else {
            return ItemSample(item.name, errSecMissingEntitlement, asks: nil)
        }
        let (status, factor) = app.lookingAhead { item.read().status }
        return ItemSample(
            item.name,
            status,
            asks: factor?.name(on: staged.device)
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
    /// What is presented to the sensor.
    var presented: String { self == .touchID ? "finger" : "face" }
}

extension SimulatedDevice.State {
    /// The word that reports use.
    var name: String {
        switch self {
        case .beforeFirstUnlock: "beforeFirstUnlock"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }
}
