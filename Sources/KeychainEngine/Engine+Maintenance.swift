import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// What the owner of a keychain may have done to all of it. Between two portions nothing is held:
// programs read and write, and the device may be locked.
//
// Source: requirements BAK-01 to BAK-05, BAK-11, BAK-12, STO-11, ACC-06.
extension Engine {
    func perform(
        _ request: MaintenanceRequest,
        _ handles: CallerHandles
    ) throws(KeychainError) -> MaintenanceReply {
        switch request {
        case .begin(let work): .begun(try handles.keep(try begin(work)))
        case .next(let id): .portion(try next(id, handles))
        case .give(let id, let bytes):
            try handles.going(on: id) { work throws(KeychainError) in
                guard case .restore(let restore) = work else {
                    throw KeychainError(.param, "only a restore takes bytes")
                }
                try restore.take(bytes)
                return (.done, isOver: false)
            }
        case .stop(let id):
            stopped(id, handles)
        case .acceptRows:
            .accepted(
                rowCount: try enter { rooms throws(KeychainError) in
                    try rooms.vault.acceptRows(&rooms.session)
                }
            )
        case .programGroup(let query): .programGroup(try group(query))
        }
    }

    private func stopped(_ id: WorkID, _ handles: CallerHandles) -> MaintenanceReply {
        handles.stop(id)
        return .done
    }

    private func begin(_ work: MaintenanceWork) throws(KeychainError) -> Work {
        switch work {
        case .backup(let password): .backup(try beginBackup(password))
        case .restore(let password): .restore(try beginRestore(password))
        case .check(let extent):
            .check(
                try enter { rooms throws(KeychainError) in
                    CheckWork(extent, rooms.vault.walk(rooms.session, includingTombstones: true))
                }
            )
        case .passcodeLosses:
            .passcodeLosses(
                try enter { rooms throws(KeychainError) in LossWork(rooms.vault.walk(rooms.session))
                }
            )
        }
    }

    private func next(
        _ id: WorkID,
        _ handles: CallerHandles
    ) throws(KeychainError) -> WorkPortion {
        try handles.going(on: id) { work throws(KeychainError) in
            let portion = try goOn(with: work)
            if let outcome = portion.outcome { note(outcome) }
            return (portion, isOver: portion.outcome != nil)
        }
    }

    private func goOn(with work: Work) throws(KeychainError) -> WorkPortion {
        switch work {
        case .restore(let work):
            var portion = WorkPortion()
            portion.outcome = .restore(try restore(work))
            return portion
        case .backup(let work):
            return try enter { rooms throws(KeychainError) in
                try rooms.vault.goOn(with: work, rooms.session)
            }
        case .check(let work):
            return try enter { rooms throws(KeychainError) in
                try rooms.vault.goOn(with: work, rooms.session)
            }
        case .passcodeLosses(let work):
            return try enter { rooms throws(KeychainError) in
                try rooms.vault.goOn(with: work, rooms.session)
            }
        }
    }

    /// Tells of what befell single items.
    private func note(_ outcome: WorkOutcome) {
        switch outcome {
        case .backup(let report):
            guard let count = report.omissions[.damaged] else { return }
            note(.damagedRow, .backup, "item", detail: "There were \(count).")
        case .restore(let report):
            for conflict in report.conflicts {
                let detail =
                    conflict.isReplaced
                    ? "The device's was older and was replaced." : "The device's own stayed."
                note(.restoreConflict, .restore, conflict.itemClass, detail: detail)
            }
        case .check, .passcodeLosses: break
        }
    }
}

/// The way into an engine of the same process for whoever owns the device, and for nobody else.
struct OwnerEndpoint: Endpoint {
    let engine: Engine
    private let handles = CallerHandles()

    init(_ engine: Engine) { self.engine = engine }

    var profiles: Profiles { engine.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        let nobody = Caller(entitlements: Entitlements(), system: profiles.system, canPrompt: false)
        return try engine.perform(request, from: nobody, handles, asking: nil)
    }

    func note(_ finding: Finding) { engine.environment.note(finding) }
}

// The same for the owner of a device in this process.
extension Engine {
    private var owner: OwnerEndpoint { OwnerEndpoint(self) }

    /// Writes an encrypted backup of all that may leave the device.
    ///
    /// - Throws: As the endpoint's `backup`. A device that shows nothing gives nothing away.
    package func backup(
        password: SharedSecret,
        to sink: BackupSink,
        progress: WorkProgressListener = { _ in }
    ) throws(KeychainError) -> BackupReport {
        try owner.backup(password: password, to: sink, progress: progress)
    }

    /// Restores an encrypted backup, all of it or nothing.
    ///
    /// - Throws: As the endpoint's `restore`.
    package func restore(
        password: SharedSecret,
        from source: BackupSource
    ) throws(KeychainError) -> RestoreReport {
        try owner.restore(password: password, from: source)
    }

    /// Verifies everything, as it is at one moment.
    ///
    /// - Throws: what keeps the keychain from being looked at.
    package func check(
        _ extent: CheckExtent = .everything,
        naming: CheckListener = { _ in },
        noting: BoundItemListener = { _ in },
        progress: WorkProgressListener = { _ in }
    ) throws(KeychainError) -> CheckReport {
        try owner.check(extent, naming: naming, noting: noting, progress: progress)
    }

    /// Names every item that the removal of the passcode would delete or close for good.
    ///
    /// - Throws: what keeps the rows from being read.
    package func passcodeLosses(naming: BoundItemListener) throws(KeychainError) -> Int {
        try owner.passcodeLosses(naming: naming)
    }

    /// Takes the rows that are there for those that were written, after a person looked at what a
    /// check tells.
    ///
    /// - Throws: What the store throws.
    package func acceptRows() throws(KeychainError) -> Int { try owner.acceptRows() }
}
