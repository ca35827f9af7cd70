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
        _ callerWork: CallerWork
    ) throws(KeychainError) -> MaintenanceReply {
        switch request {
        case .begin(let work): .begun(try callerWork.keep(try begin(work), environment))
        case .next(let id): .portion(try next(id, callerWork))
        case .give(let id, let bytes):
            try callerWork.resume(id) { work throws(KeychainError) in
                guard case .restore(let restore) = work else {
                    throw KeychainError(.param, "only a restore accepts bytes")
                }
                try restore.take(bytes)
                return (.done, isOver: false)
            }
        case .stop(let id):
            stopped(id, callerWork)
        case .acceptRows:
            .accepted(
                rowCount: try enter { state throws(KeychainError) in
                    try state.vault.acceptRows(&state.session)
                }
            )
        case .programGroup(let query): .programGroup(try group(query))
        }
    }

    private func stopped(_ id: WorkID, _ callerWork: CallerWork) -> MaintenanceReply {
        callerWork.stop(id)
        return .done
    }

    private func begin(_ work: MaintenanceWork) throws(KeychainError) -> Work {
        switch work {
        case .backup(let password): .backup(try beginBackup(password))
        case .restore(let password): .restore(try beginRestore(password))
        case .check(let extent):
            .check(
                try enter { state throws(KeychainError) in
                    CheckWork(extent, state.vault.scan(state.session, includingTombstones: true))
                }
            )
        case .passcodeLosses:
            .passcodeLosses(
                try enter { state throws(KeychainError) in LossWork(state.vault.scan(state.session))
                }
            )
        }
    }

    private func next(
        _ id: WorkID,
        _ callerWork: CallerWork
    ) throws(KeychainError) -> WorkPortion {
        try callerWork.resume(id) { work throws(KeychainError) in
            let portion = try nextPortion(of: work)
            if let outcome = portion.outcome { note(outcome) }
            return (portion, isOver: portion.outcome != nil)
        }
    }

    private func nextPortion(of work: Work) throws(KeychainError) -> WorkPortion {
        switch work {
        case .restore(let work):
            var portion = WorkPortion()
            portion.outcome = .restore(try restore(work))
            return portion
        case .backup(let work):
            return try enter { state throws(KeychainError) in
                try state.vault.nextPortion(of: work, state.session)
            }
        case .check(let work):
            try work.verifyPages()
            return try enter { state throws(KeychainError) in
                try state.vault.nextPortion(of: work, state.session)
            }
        case .passcodeLosses(let work):
            return try enter { state throws(KeychainError) in
                try state.vault.nextPortion(of: work, state.session)
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
                    ? "The device's item was older, and the restore replaced it."
                    : "The device's item stays."
                note(.restoreConflict, .restore, conflict.itemClass, detail: detail)
            }
        case .check, .passcodeLosses: break
        }
    }
}

/// The way into an engine of the same process for whoever owns the device, and for nobody else.
struct OwnerEndpoint: Endpoint {
    let engine: Engine
    private let callerWork = CallerWork()

    init(_ engine: Engine) { self.engine = engine }

    var profiles: Profiles { engine.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        let nobody = Caller(entitlements: Entitlements(), system: profiles.system, canPrompt: false)
        return try engine.perform(request, from: nobody, callerWork, asking: nil)
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
