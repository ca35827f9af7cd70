import KeychainSimulator

extension ScenarioEvent {
    /// The event's name in reports: the file's note, or else the action in a few words.
    package var words: String { note ?? action.words }
}

extension ScenarioAction {
    /// The action in a few words.
    var words: String {
        switch self {
        case .device(let action): action.words
        case .call(let call): "\(verb) \(call.item)\(call.execution.words)"
        case .file(let call): call.action.words(call.file) + call.execution.words
        case .policy(let call):
            (call.evaluates ? "evaluate a policy" : "check whether a policy can be evaluated")
                + call.execution.words
        case .account(let action): action.words
        }
    }

    /// The action's verb in a scenario file.
    package var verb: String {
        switch self {
        case .device(let action): action.verb
        case .call(let call): call.function.verb
        case .file(let call): call.action.verb
        case .policy(let call): call.evaluates ? "evaluatePolicy" : "canEvaluatePolicy"
        case .account(let action): action.verb
        }
    }
}

extension AccountAction {
    fileprivate var verb: String {
        switch self {
        case .signIn: "signIn"
        case .signOut: "signOut"
        case .network: "network"
        case .switchSynchronization: "synchronization"
        case .synchronize: "synchronize"
        }
    }

    fileprivate var words: String {
        switch self {
        case .signIn: "sign in to the account"
        case .signOut: "sign out of the account"
        case .network(true?, _): "go offline"
        case .network(false?, _): "go online"
        case .network(nil, let delay?): "the network delays by \(delay.seconds)"
        case .network(nil, nil): "the network stays as it is"
        case .switchSynchronization(true): "switch synchronization on"
        case .switchSynchronization(false): "switch synchronization off"
        case .synchronize: "all devices synchronize"
        }
    }
}

extension DeviceAction {
    fileprivate var verb: String {
        switch self {
        case .lock: "lock"
        case .unlock: "unlock"
        case .unlockWithBiometry: "unlockWithBiometry"
        case .reboot: "reboot"
        case .setPasscode: "setPasscode"
        case .removePasscode: "removePasscode"
        case .enroll: "enroll"
        case .removeEnrollment: "removeEnrollment"
        case .user: "user"
        case .location: "location"
        case .backup: "backup"
        case .restore: "restore"
        case .erase: "erase"
        case .install: "install"
        case .uninstall: "uninstall"
        }
    }

    fileprivate var words: String {
        switch self {
        case .lock(0): "lock"
        case .lock(let grace): "lock with a grace period of \(grace.seconds)"
        case .unlock: "unlock with the passcode"
        case .unlockWithBiometry: "unlock with a face or finger"
        case .reboot: "reboot"
        case .setPasscode: "set the passcode"
        case .removePasscode: "remove the passcode"
        case .enroll(let name): "enroll \(name)"
        case .removeEnrollment(let name): "remove the enrollment of \(name)"
        case .user: "the user in front of the device changes"
        case .location(true): "go to a familiar location"
        case .location(false): "go to an unfamiliar location"
        case .backup: "make a backup"
        case .restore: "restore the backup"
        case .erase: "erase everything"
        case .install(let app): "install \(app)"
        case .uninstall(let app): "uninstall \(app)"
        }
    }
}

extension ItemCall.Function {
    fileprivate var verb: String {
        switch self {
        case .add: "add"
        case .read: "read"
        case .delete: "delete"
        case .update: "update"
        }
    }
}

extension SimulatedApp.Execution {
    fileprivate var words: String { self == .background ? " in the background" : "" }

    /// The word in files and reports.
    package var name: String { self == .background ? "background" : "foreground" }
}

extension Double {
    /// Seconds in words, such as `2 s` or `0.5 s`.
    package var seconds: String {
        let whole = Int64(exactly: self).map(String.init)
        return (whole ?? String(self)) + " s"
    }
}
