import KeychainModel
import KeychainSimulator

/// The outcome of an event.
struct Outcome {
    let status: ScenarioStatus
    /// The reason, if the event itself knows one; findings may explain more.
    let reason: String?

    init(_ status: ScenarioStatus, _ reason: String? = nil) {
        self.status = status
        self.reason = reason
    }

    static let success = Outcome(.success)

    /// Converts an error of a device.
    init(_ error: any Error) {
        if let error = error as? SimulatorError {
            self.init(ScenarioStatus(error.status), error.reason)
        } else {
            let status = ScenarioStatus(SecurityStatus.internal.rawValue)
            self.init(status, String(describing: error))
        }
    }
}

// Actions on a device, or in front of it.
extension ScenarioEnvironment {
    mutating func perform(_ action: DeviceAction, on target: ScenarioDevice) -> Outcome {
        do {
            try attempt(action, on: target)
            return .success
        } catch { return Outcome(error) }
    }

    private mutating func attempt(_ action: DeviceAction, on target: ScenarioDevice) throws {
        let device = target.device
        switch action {
        case .lock(let grace):
            device.lock(grace: .seconds(grace))
            target.evictionMoment = grace > 0 ? now + grace : nil
        case .unlock(let passcode):
            try device.unlock(passcode: passcode ?? target.passcode ?? "")
        case .unlockWithBiometry: try device.unlockWithBiometry()
        case .reboot:
            target.openFiles = [:]
            device.reboot()
        case .setPasscode, .removePasscode: try changePasscode(action, on: target)
        case .enroll(let name): try device.enroll(name)
        case .removeEnrollment(let name): try device.removeEnrollment(name)
        case .user(let change):
            var user = device.user
            change.apply(to: &user)
            device.user = user
        case .location(let isFamiliar): device.isAtFamiliarLocation = isFamiliar
        case .backup(let name, let password):
            backups[name] = try device.backup(password: password)
        case .restore(let name, let password):
            // A backup that failed has left nothing. Empty data counts as a damaged backup.
            try device.restore(backups[name] ?? .init(), password: password)
        case .erase:
            target.openFiles = [:]
            device.erase()
            target.passcode = nil
        case .install(let app):
            if let setup = scenario.apps.first(where: { $0.name == app }) { target.install(setup) }
        case .uninstall(let app): target.uninstall(app)
        }
    }

    private func changePasscode(_ action: DeviceAction, on target: ScenarioDevice) throws {
        switch action {
        case .setPasscode(let new, let current):
            try target.device.setPasscode(new, current: current.passcode(of: target))
            target.passcode = new
        case .removePasscode(let current):
            try target.device.removePasscode(current: current.passcode(of: target) ?? "")
            target.passcode = nil
        default: break
        }
    }
}

extension PasscodeClaim {
    fileprivate func passcode(of target: ScenarioDevice) -> String? {
        switch self {
        case .real: target.passcode
        case .given(let text): text
        }
    }
}
