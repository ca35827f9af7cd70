import KeychainAuthentication
import KeychainSimulator

/// One event of a scenario.
package struct ScenarioEvent: Sendable {
    /// Seconds since the start.
    package let moment: Double
    /// The name of the event's device.
    package let device: String
    /// The file's description of the event.
    package let note: String?
    package let action: ScenarioAction
    package let expectation: Expectation
}

/// The action of an event.
package enum ScenarioAction: Sendable {
    case device(DeviceAction)
    case call(ItemCall)
    case file(FileCall)
    case policy(PolicyCall)
    case account(AccountAction)
}

/// An action of the user on a device, or in front of it.
package enum DeviceAction: Sendable {
    case lock(grace: Double)
    /// The given passcode; nil for the device's real one.
    case unlock(passcode: String?)
    case unlockWithBiometry
    case reboot
    case setPasscode(String, current: PasscodeClaim)
    case removePasscode(current: PasscodeClaim)
    case enroll(String)
    case removeEnrollment(String)
    case user(UserChange)
    case location(isFamiliar: Bool)
    case backup(name: String, password: String)
    case restore(name: String, password: String)
    case erase
    case install(app: String)
    case uninstall(app: String)
}

/// An action of a device that concerns the scenario's account.
package enum AccountAction: Sendable {
    case signIn, signOut
    /// Changes of the network; nil keeps the earlier value.
    case network(isOffline: Bool?, delay: Double?)
    case switchSynchronization(isOn: Bool)
    /// All devices exchange their changes.
    case synchronize
}

/// The value that an action gives as the current passcode.
package enum PasscodeClaim: Sendable, Hashable {
    /// The real passcode of the device.
    case real
    case given(String?)
}

/// Changes to the person in front of a device; nil keeps a value.
package struct UserChange: Sendable {
    package var biometric: String??
    package var passcode: String??
    package var applicationPassword: String??
    package var cancels: Bool?
    package var hasCompanion: Bool?

    /// Applies the changes that are present.
    package func apply(to user: inout SimulatedUser) {
        if let biometric { user.biometric = biometric }
        if let passcode { user.passcode = passcode }
        if let applicationPassword { user.applicationPassword = applicationPassword }
        if let cancels { user.cancels = cancels }
        if let hasCompanion { user.hasCompanion = hasCompanion }
    }
}

/// A call of one of the four item functions.
package struct ItemCall: Sendable {
    package enum Function: Sendable, Hashable {
        case add, read, delete
        case update(value: String)
    }

    package let function: Function
    /// The name of the item.
    package let item: String
    /// The name of the calling app.
    package let app: String
    package let execution: SimulatedApp.Execution
}

/// A call to an authentication context.
package struct PolicyCall: Sendable {
    package let policy: LAPolicy
    /// Whether the call evaluates the policy with prompts; otherwise it only checks it.
    package let evaluates: Bool
    package let app: String
    package let execution: SimulatedApp.Execution

    /// The policies, with Apple's names.
    package static let policies: [(name: String, policy: LAPolicy)] = [
        ("deviceOwnerAuthentication", .deviceOwnerAuthentication),
        ("deviceOwnerAuthenticationWithBiometrics", .deviceOwnerAuthenticationWithBiometrics),
    ]
}
