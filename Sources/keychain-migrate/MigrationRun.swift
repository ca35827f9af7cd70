import Foundation
import KeychainCommand
import KeychainMigration
import KeychainModel

// Invariants   (1) The record that an undo needs is stored before anything is removed.
//              (2) The user learns which secrets can travel to another machine before anything is
//                  removed.

/// One run of the command with its plan.
struct MigrationRun {
    let plans: [PlannedSecret]
    let dependencies: MigrateCommand.Dependencies
    let arguments: Arguments

    private var isCopy: Bool { arguments.has(.keepOriginals) }
    private var isDryRun: Bool { arguments.has(.dryRun) }

    private var accessibility: ItemAccessibility {
        arguments.has(.thisDeviceOnly) ? .afterFirstUnlockThisDeviceOnly : .afterFirstUnlock
    }

    /// Moves, copies or only plans; returns a line for each secret that can move.
    func carryOut(_ context: CommandContext) throws(CommandFailure) -> MigrationReport {
        if let sentence = try forecast()?.sentence { try context.note(sentence) }
        let journal: any MigrationJournal
        do throws(KeychainError) {
            journal = isCopy || isDryRun ? InMemoryJournal() : try dependencies.journal()
        } catch {
            throw .keychain(error)
        }
        let takesAway = !isCopy && !isDryRun
        if !isCopy { try announceDeletions(context) }
        if takesAway { removeLeftDrafts() }
        if takesAway { try record { _ in true } }
        var report = move(journal, context)
        if !isCopy, report.lines.contains(where: \.outcome.isPlanned) {
            report.advice.append(MigrationReport.backupAdvice)
        }
        if takesAway { try correctRecords(report) }
        if report.isComplete { (journal as? TemporaryJournal)?.remove() }
        return report
    }

    /// Removes drafts of a killed run, which may have secrets that the files no longer have.
    private func removeLeftDrafts() {
        for path in Set(plans.map(\.from)) where path.hasPrefix("/") {
            PlainFile(URL(filePath: path)).removeLeftDrafts()
        }
    }

    /// Returns the forecast; nil if the keychain is locked, so that nothing can move.
    private func forecast() throws(CommandFailure) -> BackupForecast? {
        do throws(KeychainFailure) {
            return try BackupForecast(
                plans,
                in: dependencies.keychain,
                isThisDeviceOnly: arguments.has(.thisDeviceOnly)
            )
        } catch {
            guard error.isLocked else { throw .keychain(error.keychainError) }
            return nil
        }
    }

    /// Reports what the run deletes, and that a hard link keeps a file's old content.
    private func announceDeletions(_ context: CommandContext) throws(CommandFailure) {
        for sentence in DeletionForecast(plans, home: dependencies.home).sentences {
            try context.note(sentence)
        }
        for path in Set(plans.filter { $0.move != nil }.map(\.from)).sorted() {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_nlink > 1 else { continue }
            let links = status.st_nlink == 2 ? "a hard link" : "\(status.st_nlink - 1) hard links"
            try context.note("warning: \(path) has \(links) elsewhere, which keeps the secrets")
        }
    }

    private func move(
        _ journal: any MigrationJournal,
        _ context: CommandContext
    ) -> MigrationReport {
        let order = MoveOrder(plans)
        let stays = isCopy || isDryRun ? [:] : copyRecords()
        let mover = Mover(
            keychain: dependencies.keychain,
            journal: journal,
            retention: isCopy ? .keepPlaintext(days: 0) : .deleteAfterVerify
        )
        let progress = ProgressLine("migrate", on: context)
        defer { progress.clear() }
        let moves = order.moves.filter { stays[$0.id] == nil }
        var report = mover.run(moves, isDryRun: isDryRun) { _, done, _ in progress.show(done) }
        report.lines = order.lines(of: report.lines, besides: stays)
        return report
    }

    /// Stores complete records before anything is deleted.
    ///
    /// - Returns: A line for each move of a record that cannot move.
    private func copyRecords() -> [String: MigrationReport.Line] {
        let parts = plans.filter { $0.record != nil && $0.move != nil }
        guard !parts.isEmpty else { return [:] }
        let mover = Mover(
            keychain: dependencies.keychain,
            journal: InMemoryJournal(),
            retention: .keepPlaintext(days: 0)
        )
        let lines = mover.run(parts.compactMap(\.move)).lines
        let broken = Set(
            zip(parts, lines).filter { !$0.1.outcome.isSettled }.compactMap(\.0.record)
        )
        var stays: [String: MigrationReport.Line] = [:]
        for (part, line) in zip(parts, lines) {
            guard let move = part.move, let record = part.record, broken.contains(record) else {
                continue
            }
            var line = line
            if line.outcome.isSettled { line.outcome = RecordConflicts.staysWhole }
            stays[move.id] = line
        }
        return stays
    }

    // MARK: - Records for an undo

    /// The old stores of secrets that can move, without duplicates, in order.
    private var places: [String] {
        var known = Set<String>()
        return plans.filter { $0.move != nil }.map(\.from).filter { known.insert($0).inserted }
    }

    /// Records for each old store the secrets that are about to be taken.
    private func record(_ isTaken: (Move) -> Bool) throws(CommandFailure) {
        for place in places { try update(place, replacing: false, isTaken) }
    }

    /// Reduces the records to the secrets that were really taken.
    private func correctRecords(_ report: MigrationReport) throws(CommandFailure) {
        let moves = plans.compactMap(\.move)
        let moved = zip(moves, report.lines).filter { $0.1.outcome == .moved }
        let taken = Set(moved.map(\.0.id))
        for place in places {
            let planned = plans.filter { $0.from == place }.compactMap(\.move)
            guard !planned.allSatisfy({ taken.contains($0.id) }) else { continue }
            try update(place, replacing: true) { taken.contains($0.id) }
        }
    }

    private func update(
        _ place: String,
        replacing: Bool,
        _ isTaken: (Move) -> Bool
    ) throws(CommandFailure) {
        let run: UndoRun?
        do throws(SourceFailure) { run = try self.run(at: place, isTaken) } catch {
            throw .keychain(KeychainError(error.status, error.description))
        }
        try onKeychain { () throws(KeychainFailure) in
            let store = UndoStore(keychain: dependencies.keychain, home: dependencies.home)
            var record = try store.record(of: place) ?? UndoRecord()
            if replacing { record.runs.removeLast() }
            if let run { record.runs.append(run) }
            try store.save(record, of: place, accessibility: accessibility)
        }
    }

    /// Returns the record of one store; nil if nothing is taken from it.
    private func run(
        at place: String,
        _ isTaken: (Move) -> Bool
    ) throws(SourceFailure) -> UndoRun? {
        var names: [String: (what: String, move: Move)] = [:]
        var keys: [String] = []
        var source: (any ReturnableSource)?
        for plan in plans where plan.from == place {
            guard case .move(let move, let out) = plan.decision, isTaken(move) else { continue }
            keys.append(move.key)
            names[move.key] = (plan.what, move)
            source = out
        }
        guard let source else { return nil }
        let (shape, origins) = try source.shape(of: keys)
        let secrets = origins.compactMap { key, origin in
            names[key].map { name in
                TakenSecret(
                    key: key,
                    what: name.what,
                    item: name.move.target.address,
                    isNew: name.move.target.accessibility != nil,
                    origin: origin
                )
            }
        }
        return UndoRun(shape: shape, secrets: secrets)
    }

    private func onKeychain<R>(
        _ body: () throws(KeychainFailure) -> R
    ) throws(CommandFailure) -> R {
        do throws(KeychainFailure) { return try body() } catch {
            throw .keychain(error.keychainError)
        }
    }
}

extension MoveOutcome {
    /// Whether this is the outcome of a dry run for a value that would move.
    fileprivate var isPlanned: Bool {
        guard case .planned = self else { return false }
        return true
    }
}
