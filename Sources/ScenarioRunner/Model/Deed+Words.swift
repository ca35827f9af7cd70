import KeychainSimulator

extension ScenarioEvent {
    /// What reports call the event: the file's note, or the deed in a few words.
    package var words: String { note ?? deed.words }
}

extension Deed {
    /// The deed in a few words.
    var words: String {
        switch self {
        case .device(let deed): deed.words
        case .call(let call): "\(verb) \(call.item)\(call.execution.words)"
        case .policy(let call):
            (call.evaluates ? "have a policy proven" : "ask whether a policy could be proven")
                + call.execution.words
        }
    }

    /// The verb that stands for the deed in a file.
    package var verb: String {
        switch self {
        case .device(let deed): deed.verb
        case .call(let call): call.function.verb
        case .policy(let call): call.evaluates ? "evaluatePolicy" : "canEvaluatePolicy"
        }
    }
}

extension DeviceDeed {
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
        case .lock(let grace): "lock with \(grace.seconds) of grace"
        case .unlock: "unlock with the passcode"
        case .unlockWithBiometry: "unlock with a face or finger"
        case .reboot: "reboot"
        case .setPasscode: "set the passcode"
        case .removePasscode: "remove the passcode"
        case .enroll(let name): "enroll \(name)"
        case .removeEnrollment(let name): "remove the enrollment of \(name)"
        case .user: "somebody else, or in another mood, stands before the device"
        case .location(true): "go where the device usually is"
        case .location(false): "go to an unfamiliar place"
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

    /// The word that files and reports use.
    package var name: String { self == .background ? "background" : "foreground" }
}

extension Double {
    /// Seconds as people write them: whole ones without a fraction.
    package var seconds: String {
        let whole = Int64(exactly: self).map(String.init)
        return (whole ?? String(self)) + " s"
    }
}
