import KeychainSimulator

// Actions of devices that concern the scenario's account.
extension ScenarioEnvironment {
    func perform(_ action: AccountAction, on target: ScenarioDevice) -> Outcome {
        let device = target.device
        switch action {
        case .signIn:
            do { try device.signIn(to: account) } catch { return Outcome(error) }
        case .signOut: device.signOut()
        case .network(let isOffline, let delay):
            var network = device.network
            if let isOffline { network.isOffline = isOffline }
            if let delay { network.delay = .seconds(delay) }
            device.network = network
        case .switchSynchronization(let isOn): device.isSynchronizationOn = isOn
        case .synchronize: account.synchronize()
        }
        return .success
    }
}
