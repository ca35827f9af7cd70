import KeychainAuthentication
import KeychainSimulator

/// One event of a scenario.
package struct ScenarioEvent: Sendable {
    /// Seconds since the start.
    package let moment: Double
    /// The name of the device that it happens to.
    package let device: String
    /// What the file calls it.
    package let note: String?
    package let action: ScenarioAction
    package let expectation: Expectation
}

/// What happens in an event.
package enum ScenarioAction: Sendable {
    case device(DeviceAction)
    case call(ItemCall)
    case file(FileCall)
    case policy(PolicyCall)
    case account(AccountAction)
}

/// What the user does to the device, or in front of it.
package enum DeviceAction: Sendable {
    case lock(grace: Double)
    /// nil: the passcode that the device has.
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

/// What a device does with the account of the scenario.
package enum AccountAction: Sendable {
    case signIn, signOut
    /// nil: as before.
    case network(isOffline: Bool?, delay: Double?)
    case switchSynchronization(isOn: Bool)
    /// All devices exchange what they can.
    case synchronize
}

/// What is given as the current passcode.
package enum PasscodeClaim: Sendable, Hashable {
    /// The one that the device has.
    case real
    case given(String?)
}

/// How the person in front of a device changes; nil: not at all.
package struct UserChange: Sendable {
    package var biometric: String??
    package var passcode: String??
    package var applicationPassword: String??
    package var cancels: Bool?
    package var hasCompanion: Bool?

    /// Applies what is given.
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
    /// The item's name.
    package let item: String
    /// The name of the app that calls.
    package let app: String
    package let execution: SimulatedApp.Execution
}

/// A question to an authentication context.
package struct PolicyCall: Sendable {
    package let policy: LAPolicy
    /// Whether somebody is really asked.
    package let evaluates: Bool
    package let app: String
    package let execution: SimulatedApp.Execution

    /// The policies by Apple's names.
    package static let policies: [(name: String, policy: LAPolicy)] = [
        ("deviceOwnerAuthentication", .deviceOwnerAuthentication),
        ("deviceOwnerAuthenticationWithBiometrics", .deviceOwnerAuthenticationWithBiometrics),
    ]
}
