import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// The owner's operations on a whole keychain. Between two portions the engine holds nothing, so
// programs can read and write, and the device can lock.
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

    /// Reports findings about single items.
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

/// The owner's endpoint in an engine of the same process.
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

// Maintenance for the owner of a device in this process.
extension Engine {
    private var owner: OwnerEndpoint { OwnerEndpoint(self) }

    /// Writes an encrypted backup of all that may leave the device.
    ///
    /// - Throws: As the endpoint's `backup`. A locked device refuses.
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

    /// Verifies the whole keychain, as it is at one moment.
    ///
    /// - Throws: The error that prevents the engine from reading the keychain.
    package func check(
        _ extent: CheckExtent = .everything,
        naming: CheckListener = { _ in },
        noting: BoundItemListener = { _ in },
        progress: WorkProgressListener = { _ in }
    ) throws(KeychainError) -> CheckReport {
        try owner.check(extent, naming: naming, noting: noting, progress: progress)
    }

    /// Names every item that removing the passcode would delete or make unreadable permanently.
    ///
    /// - Throws: The error that prevents the engine from reading the rows.
    package func passcodeLosses(naming: BoundItemListener) throws(KeychainError) -> Int {
        try owner.passcodeLosses(naming: naming)
    }

    /// Accepts the present rows as the right ones, after a person has read the findings of a check.
    ///
    /// - Throws: The errors of the store.
    package func acceptRows() throws(KeychainError) -> Int { try owner.acceptRows() }
}
