/// The verbs of all requests to a keychain or a daemon, in groups; each has its row.
package enum RequestVerb: Sendable, Hashable {
    case item(ItemVerb)
    case key(KeyVerb)
    case context(ContextVerb)
    case device(DeviceVerb)
    case maintenance(MaintenanceVerb)
    case synchronization(SynchronizationVerb)
    case daemon(DaemonVerb)
    case move(MoveVerb)

    /// The word in the daemon's log and in tables.
    package var word: String {
        switch self {
        case .item(let verb): verb.rawValue
        case .key(let verb): verb.rawValue
        case .context(let verb): verb.rawValue
        case .device(let verb): verb.rawValue
        case .maintenance(let verb): verb.rawValue
        case .synchronization(let verb): verb.rawValue
        case .daemon(let verb): verb.rawValue
        case .move(let verb): verb.rawValue
        }
    }

    /// The verb's row of the table.
    package var facts: RequestFacts {
        switch self {
        case .item(let verb): verb.facts
        case .key(let verb): verb.facts
        case .context(let verb): verb.facts
        case .device(let verb): verb.facts
        case .maintenance(let verb): verb.facts
        case .synchronization(let verb): verb.facts
        case .daemon(let verb): verb.facts
        case .move(let verb): verb.facts
        }
    }

    /// All verbs, in the order of the table.
    package static var all: [RequestVerb] {
        let items = ItemVerb.allCases.map(Self.item) + KeyVerb.allCases.map(Self.key)
        let device = ContextVerb.allCases.map(Self.context) + DeviceVerb.allCases.map(Self.device)
        let work =
            MaintenanceVerb.allCases.map(Self.maintenance)
            + SynchronizationVerb.allCases.map(Self.synchronization)
        return items + device + work + DaemonVerb.allCases.map(Self.daemon)
            + MoveVerb.allCases.map(Self.move)
    }
}

/// The verbs of requests about items.
package enum ItemVerb: String, CaseIterable, Sendable, Hashable {
    case find
    case list
    case add
    case update
    case delete
    case setAccessControl = "set-access-control"
}

/// The verbs of requests about keys of the secure element, and of protected files.
package enum KeyVerb: String, CaseIterable, Sendable, Hashable {
    case makeKey = "make-key"
    case checkKey = "check-key"
    case useKey = "use-key"
    case makeFile = "make-file"
    case openFile = "open-file"
    case moveFile = "move-file"
    case checkFile = "check-file"
}

/// The verbs of a context.
package enum ContextVerb: String, CaseIterable, Sendable, Hashable {
    case authenticate
    case canAuthenticate = "can-authenticate"
    case biometryStatus = "biometry-status"
    case end = "end-context"
}

/// The verbs of commands to the device.
package enum DeviceVerb: String, CaseIterable, Sendable, Hashable {
    case status
    case lock
    case unlock
    case setLockSettings = "set-lock-settings"
    case setPasscode = "set-passcode"
    case removePasscode = "remove-passcode"
}

/// The verbs of maintenance.
package enum MaintenanceVerb: String, CaseIterable, Sendable, Hashable {
    case check
    case goOn = "go-on"
    case stop
    case programGroup = "program-group"
    case backup
    case restore
    case passcodeLosses = "passcode-losses"
    case acceptRows = "accept-rows"
}

/// The verbs of synchronization with other devices.
package enum SynchronizationVerb: String, CaseIterable, Sendable, Hashable {
    case mark = "sync-mark"
    case verify = "sync-verify"
    case records = "sync-records"
    case read = "sync-read"
    case contents = "sync-contents"
    case apply = "sync-apply"
    case forget = "sync-forget"
}

/// The verbs of requests to a daemon about itself.
package enum DaemonVerb: String, CaseIterable, Sendable, Hashable {
    case describeCaller = "describe-caller"
    case grants = "list-grants"
    case grant
    case revoke
    case log
    case verifyLog = "verify-log"
    case showPrompts = "show-prompts"
    case simulate
}

/// The verbs of the steps of a move.
package enum MoveVerb: String, CaseIterable, Sendable, Hashable {
    case askAdoption = "ask-adoption"
    case beginAdoption = "begin-adoption"
    case file = "adoption-file"
    case checkAdoption = "check-adoption"
    case finishAdoption = "adopt"
    case beginRelease = "begin-release"
    case read = "release-file"
    case finishRelease = "release"
    case discard
    case abandon = "abandon-move"
}

// The verb of each request.
extension Request {
    package var verb: RequestVerb {
        switch self {
        case .items(let request): .item(request.verb)
        case .elementKey(.make): .key(.makeKey)
        case .elementKey(.check): .key(.checkKey)
        case .elementKey(.use): .key(.useKey)
        case .fileKeys(.make): .key(.makeFile)
        case .fileKeys(.open): .key(.openFile)
        case .fileKeys(.move): .key(.moveFile)
        case .fileKeys(.check): .key(.checkFile)
        case .authenticate(.evaluate): .context(.authenticate)
        case .authenticate(.canEvaluate): .context(.canAuthenticate)
        case .authenticate(.biometryStatus): .context(.biometryStatus)
        case .authenticate(.end): .context(.end)
        case .device(let request): .device(request.verb)
        case .maintenance(let request): .maintenance(request.verb)
        case .synchronization(let request): .synchronization(request.verb)
        }
    }
}

extension ItemRequest {
    fileprivate var verb: ItemVerb {
        switch self {
        case .add, .addAll: .add
        case .copyMatching: .find
        case .list: .list
        case .update: .update
        case .delete: .delete
        case .replaceAccessControl: .setAccessControl
        }
    }
}

extension DeviceRequest {
    fileprivate var verb: DeviceVerb {
        switch self {
        case .status: .status
        case .lock: .lock
        case .unlock: .unlock
        case .setPasscode: .setPasscode
        case .removePasscode: .removePasscode
        case .setLockSettings: .setLockSettings
        }
    }
}

extension MaintenanceRequest {
    fileprivate var verb: MaintenanceVerb {
        switch self {
        case .begin(.backup): .backup
        case .begin(.restore): .restore
        case .begin(.check): .check
        case .begin(.passcodeLosses): .passcodeLosses
        case .next, .give: .goOn
        case .stop: .stop
        case .acceptRows: .acceptRows
        case .programGroup: .programGroup
        }
    }
}

extension SynchronizationRequest {
    fileprivate var verb: SynchronizationVerb {
        switch self {
        case .mark: .mark
        case .read: .read
        case .contents: .contents
        case .verify: .verify
        case .apply: .apply
        case .records: .records
        case .forget: .forget
        }
    }
}

extension DaemonRequest {
    /// The verb of the request.
    package var verb: RequestVerb {
        switch self {
        case .describeCaller: .daemon(.describeCaller)
        case .grants: .daemon(.grants)
        case .grant: .daemon(.grant)
        case .revoke: .daemon(.revoke)
        case .log: .daemon(.log)
        case .verifyLog: .daemon(.verifyLog)
        case .simulate: .daemon(.simulate)
        case .move(let step): .move(step.verb)
        }
    }
}

extension MoveRequest {
    fileprivate var verb: MoveVerb {
        switch self {
        case .askAdoption: .askAdoption
        case .beginAdoption: .beginAdoption
        case .file: .file
        case .checkAdoption: .checkAdoption
        case .finishAdoption: .finishAdoption
        case .beginRelease: .beginRelease
        case .read: .read
        case .finishRelease: .finishRelease
        case .discard: .discard
        case .abandon: .abandon
        }
    }
}
