import Foundation

/// A mover of values, each separately: a value that fails remains in its old store until the next
/// run.
///
/// Every step is on the disk before the next one begins. To resume an interrupted run, run it
/// again.
///
/// ```swift
/// let mover = Mover(journal: FileJournal(file: journal))
/// print(mover.run(moves, isDryRun: true))  // what would move, from where, to where
/// print(mover.run(moves))  // read, write, read back, and only then delete
/// ```
/// - Source: Migration guide, Atomic Migration: Read → Write → Verify → Delete.
public struct Mover: Sendable {
    /// The keychain that receives the values.
    public let keychain: any Keychain
    /// The record of each value's progress.
    public let journal: any MigrationJournal
    /// The treatment of the old copies.
    public let retention: LegacyRetention
    /// The store of encrypted copies, which ``LegacyRetention/encryptedRollback(days:)`` needs.
    public let rollback: RollbackStore?

    /// Creates a mover, which by default deletes each old copy after it has verified the new one.
    public init(
        keychain: any Keychain = ServicesKeychain(),
        journal: any MigrationJournal,
        retention: LegacyRetention = .deleteAfterVerify,
        rollback: RollbackStore? = nil
    ) {
        self.keychain = keychain
        self.journal = journal
        self.retention = retention
        self.rollback = rollback
    }

    /// Moves values one after the other, or reports what would move.
    ///
    /// - Parameters:
    ///   - moves: the values to move.
    ///   - now: the current date.
    ///   - isDryRun: whether to report only, and change nothing.
    ///   - progress: a closure that receives each value's line, the number of values done, and the
    ///     total.
    /// - Returns: one line for each value; failures are lines of the report.
    public func run(
        _ moves: [Move],
        now: Date = Date(),
        isDryRun: Bool = false,
        progress: ((MigrationReport.Line, _ done: Int, _ total: Int) -> Void)? = nil
    ) -> MigrationReport {
        var report = MigrationReport(isDryRun: isDryRun)
        let entries: [String: JournalEntry]
        do throws(JournalFailure) {
            entries = try journal.entries()
        } catch {
            report.lines = moves.map { $0.line(.failed(.journal(error))) }
            return report
        }
        for move in moves {
            let machine = MoveMachine(
                stage: entries[move.id]?.stage,
                conflict: move.conflict,
                retention: retention,
                isDryRun: isDryRun
            )
            var execution = MoveExecution(move: move, mover: self, machine: machine, now: now)
            let line = move.line(execution.run())
            report.lines.append(line)
            progress?(line, report.lines.count, moves.count)
        }
        if report.lines.contains(where: { $0.outcome == .moved }) {
            report.advice.append(MigrationReport.backupAdvice)
        }
        return report
    }
}

extension Move {
    func line(_ outcome: MoveOutcome) -> MigrationReport.Line {
        MigrationReport.Line(
            what: title,
            from: source.name,
            to: target.address.description,
            outcome: outcome
        )
    }
}

/// One move: performs the commands of its machine, and reports each result to it.
private struct MoveExecution {
    let move: Move
    let mover: Mover
    var machine: MoveMachine
    let now: Date
    private var wanted: KeychainItem
    private var legacy: SecretBytes?
    private var isGated = false

    init(move: Move, mover: Mover, machine: MoveMachine, now: Date) {
        self.move = move
        self.mover = mover
        self.machine = machine
        self.now = now
        wanted = move.target
    }

    mutating func run() -> MoveOutcome {
        var event = MoveMachine.Event.begin
        while true {
            let command = machine.handle(event)
            if case .finish(let outcome) = command { return outcome }
            do throws(MigrationProblem) {
                event = try perform(command)
            } catch {
                event = .failed(error)
            }
        }
    }

    private mutating func perform(
        _ command: MoveMachine.Command
    ) throws(MigrationProblem) -> MoveMachine.Event {
        switch command {
        case .readLegacy: return try readLegacy()
        case .compareTarget: return .target(try compareTarget())
        case .note(let stage): return try note(stage)
        case .write(let write): return try self.write(write)
        case .readBack: return .readBack(isEqual: try isStored())
        case .seal: return try seal()
        case .deleteLegacy:
            do throws(SourceFailure) {
                try requireUnchanged()
                try move.source.delete(move.key)
            } catch { throw .source(error) }
            return .deleted
        case .finish(let outcome):
            // Unreachable: `run` returns before this command.
            return .failed(.transformation("finished: \(outcome)"))
        }
    }

    private mutating func readLegacy() throws(MigrationProblem) -> MoveMachine.Event {
        let before = move.source.trust
        let found: LegacyValue?
        do throws(SourceFailure) {
            found = try move.source.read(move.key)
        } catch { throw .source(error) }
        guard let found else {
            // If the store was trusted before and after, it did not close in between.
            let after = move.source.trust
            return .legacyAbsent(before == .trusted ? after : before)
        }
        let bytes = try transformed(found.secret)
        legacy = found.secret
        isGated = found.carried?.isGated ?? false
        wanted = move.target.completed(by: found.carried)
        wanted.value = bytes
        return .legacyFound
    }

    private func transformed(_ secret: SecretBytes) throws(MigrationProblem) -> SecretBytes {
        guard let transform = move.transform else { return secret }
        do {
            return SecretBytes(try transform(secret.copyBytesUnprotected()))
        } catch let problem as MigrationProblem {
            throw problem
        } catch {
            // The error itself may quote the value, so the report names only its type.
            throw .transformation("\(move.key) cannot be converted into \(move.target.address)")
        }
    }

    private func stored() throws(MigrationProblem) -> KeychainItem? {
        do throws(KeychainFailure) {
            return try mover.keychain.read(wanted.address)
        } catch { throw .keychain(error) }
    }

    private func compareTarget() throws(MigrationProblem) -> MoveMachine.TargetState {
        guard let item = try stored() else { return .absent }
        guard let legacy = wanted.value else { return .same(isStale: false) }
        guard item.value?.matches(legacy) ?? false else { return .different }
        return .same(isStale: !wanted.refresh(of: item).isEmpty)
    }

    private func note(_ stage: JournalEntry.Stage) throws(MigrationProblem) -> MoveMachine.Event {
        let entry = JournalEntry(id: move.id, stage: stage, target: wanted.address, date: now)
        do throws(JournalFailure) {
            try mover.journal.record(entry)
        } catch { throw .journal(error) }
        return .noted
    }

    private func write(
        _ write: MoveMachine.Write
    ) throws(MigrationProblem) -> MoveMachine.Event {
        do throws(KeychainFailure) {
            switch write {
            case .add: try mover.keychain.add(wanted)
            case .refreshAttributes, .replaceValue:
                guard let item = try mover.keychain.read(wanted.address) else {
                    throw KeychainFailure(.update, status: -25300)
                }
                var change = wanted.refresh(of: item)
                if write == .replaceValue { change.value = wanted.value }
                try mover.keychain.update(item.address, change)
            }
        } catch { throw .keychain(error) }
        return .written
    }

    private func isStored() throws(MigrationProblem) -> Bool {
        guard let wanted = wanted.value, let found = try stored()?.value else { return false }
        return found.matches(wanted)
    }

    /// Checks that the old value did not change during the move, because the deletion would lose
    /// the change.
    ///
    /// An item that requires a prompt is not read again, because that would prompt the user twice.
    private func requireUnchanged() throws(SourceFailure) {
        guard !isGated, let legacy, let found = try move.source.read(move.key),
            !found.secret.matches(legacy)
        else { return }
        throw SourceFailure(.changed, move.source.name)
    }

    private func seal() throws(MigrationProblem) -> MoveMachine.Event {
        guard let rollback = mover.rollback, let legacy else {
            throw .rollback("there is no place for an encrypted copy")
        }
        do throws(RollbackFailure) {
            let origin = RollbackStore.Origin(
                id: move.id,
                source: move.source.name,
                key: move.key,
                date: now
            )
            try rollback.keep(legacy, of: origin)
        } catch { throw .rollback(error.description) }
        return .sealed
    }
}

extension KeychainItem {
    /// Returns this item, completed with properties of another item where this one has none.
    func completed(by carried: KeychainItem?) -> KeychainItem {
        guard let carried else { return self }
        var item = self
        item.attributes.merge(carried.attributes(for: kind)) { own, _ in own }
        if item.accessControl == nil, item.accessibility == nil {
            item.accessControl = carried.accessControl
            item.accessibility = carried.accessibility
        }
        item.created = item.created ?? carried.created
        return item
    }

    /// Returns the attributes that an item of another kind can have.
    ///
    /// - Source: Item classes guide, Migration.
    private func attributes(for other: ItemKind) -> [ItemAttribute: ItemValue] {
        guard kind != other else { return attributes }
        let own = Set(kind.primaryKey)
        let shared = Set(other.primaryKey)
        return attributes.filter { name, _ in
            !ItemAttribute.onlyGeneric.contains(name)
                && (!own.contains(name) || shared.contains(name))
        }
    }

    /// Returns the changes that an existing item with the same value needs.
    func refresh(of item: KeychainItem) -> ItemChange {
        let key = Set(kind.primaryKey + [.accessGroup, .synchronizable])
        let changed = attributes.filter { name, value in
            !key.contains(name) && item.attributes[name] != value
        }
        let wantsOther = accessibility != nil && accessibility != item.accessibility
        return ItemChange(
            attributes: changed,
            accessibility: wantsOther ? accessibility : nil
        )
    }
}

extension ItemAttribute {
    /// Attributes that an internet password cannot have; reclassing puts them into the comment.
    fileprivate static let onlyGeneric: Set<ItemAttribute> = [.service, .generic]
}
