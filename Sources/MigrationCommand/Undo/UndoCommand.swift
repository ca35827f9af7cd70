import Foundation
import KeychainCommand
import KeychainMigration
import KeychainModel
import PlaintextStores

/// `keychain migrate --undo`: writes back what earlier runs took.
struct UndoCommand {
    let surroundings: MigrateCommand.Surroundings
    let arguments: Arguments

    private var store: UndoStore {
        UndoStore(keychain: surroundings.keychain, home: surroundings.home)
    }

    private var isDryRun: Bool { arguments.has(.dryRun) }

    /// Puts secrets back, and reports each.
    func run(_ context: CommandContext) throws(CommandFailure) {
        let records = try onKeychain { () throws(KeychainFailure) in
            var records: [(place: String, record: UndoRecord)] = []
            for place in try store.places() {
                guard let record = try store.record(of: place) else { continue }
                records.append((place, record))
            }
            return records
        }
        let known = records.filter { !$0.record.runs.isEmpty || arguments.has(.deleteItems) }
        let (chosen, unknown) = choice(among: known.map(\.place))
        let rows = try onKeychain { () throws(KeychainFailure) in
            var rows: [UndoOutput.Row] = []
            for (place, record) in records where chosen.contains(place) {
                let others = records.filter { $0.place != place }.flatMap(\.record.runs)
                rows += try undo(record, of: place, besides: others)
            }
            return rows
        }
        let output = UndoOutput(rows: rows, home: surroundings.home)
        if !rows.isEmpty || unknown.isEmpty {
            try context.print(arguments.has(.json) ? output.json.page : output.page)
        }
        if let sentence = output.advice { try context.note(sentence) }
        if let failure = output.failure { throw failure }
        guard unknown.isEmpty else {
            let reason = "migrate took nothing out of " + unknown.joined(separator: ", ")
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
    }

    /// The stores that the arguments name, by path or by a folder around them; all without any.
    ///
    /// What they name beside these is unknown: an earlier run may have written it back.
    private func choice(among places: [String]) -> (known: Set<String>, unknown: [String]) {
        guard arguments[.from] != SecretServiceSource.storeName else {
            let isKnown = places.contains(SecretServiceSource.storeName)
            return (isKnown ? [SecretServiceSource.storeName] : [], [])
        }
        guard !arguments.operands.isEmpty else { return (Set(places), []) }
        var chosen = Set<String>()
        var unknown: [String] = []
        for operand in arguments.operands {
            let paths = Set([ResolvedPath.file(operand), ResolvedPath.folder(operand)])
            let found = places.filter { place in
                // A record may name a folder that became a link since.
                let names = place.hasPrefix("/") ? [place, ResolvedPath.file(place)] : [place]
                return names.contains { name in
                    paths.contains { name == $0 || name.hasPrefix($0 + "/") }
                }
            }
            if found.isEmpty { unknown.append(operand) }
            chosen.formUnion(found)
        }
        return (chosen, unknown)
    }

    /// Undoes the runs of one store, the newest first, up to one that cannot be undone wholly.
    private func undo(
        _ record: UndoRecord,
        of place: String,
        besides others: [UndoRun]
    ) throws(KeychainFailure) -> [UndoOutput.Row] {
        var record = record
        var rows: [UndoOutput.Row] = []
        while let run = record.runs.popLast() {
            let (values, refusals) = values(of: run)
            let errand = UndoErrand(
                place: place,
                run: run,
                values: values,
                isForced: arguments.has(.force),
                isDryRun: isDryRun,
                followsLaterRun: !rows.isEmpty
            )
            // A dry run has not put back what a later run took.
            let found = isDryRun && !rows.isEmpty ? errand.forecast : carryOut(errand)
            let outcomes = zip(run.secrets, found).map { taken, outcome in
                guard outcome == .missing, let refusal = refusals[taken.key] else { return outcome }
                return .failed(refusal.description)
            }
            let isWhole = outcomes.allSatisfy(\.isSettled)
            let needed = Set((others + record.runs).flatMap(\.secrets).map(\.item))
            var left: [TakenSecret] = []
            for (taken, outcome) in zip(run.secrets, outcomes) {
                let isDeletable = isWhole && outcome.isInStore && errand.values[taken.key] != nil
                let deletion = try isDeletable ? delete(taken, unless: needed) : .none
                rows.append(UndoOutput.Row(place, taken, outcome, deletion))
                if deletion == .none { left.append(taken) }
            }
            guard isWhole else { return rows }
            record.setReturned((record.returned ?? []) + [UndoRun(shape: run.shape, secrets: left)])
            if !isDryRun {
                try store.save(record, of: place, accessibility: .afterFirstUnlock)
            }
        }
        guard arguments.has(.deleteItems) else { return rows }
        return try rows + deleteReturned(&record, of: place, besides: others, after: rows)
    }

    /// Deletes the items of runs that were undone before, wherever the old store holds their values.
    private func deleteReturned(
        _ record: inout UndoRecord,
        of place: String,
        besides others: [UndoRun],
        after undone: [UndoOutput.Row]
    ) throws(KeychainFailure) -> [UndoOutput.Row] {
        let told = Set(undone.map(\.taken.item))
        let needed = Set(others.flatMap(\.secrets).map(\.item))
        var rows: [UndoOutput.Row] = []
        var kept: [UndoRun] = []
        for run in record.returned ?? [] {
            let values = values(of: run).values
            let errand = UndoErrand(
                place: place,
                run: run,
                values: values,
                isForced: false,
                isDryRun: true,
                followsLaterRun: false
            )
            var left: [TakenSecret] = []
            for (taken, outcome) in zip(run.secrets, carryOut(errand))
            where values[taken.key] != nil {
                let isBack = outcome == .alreadyThere || isDryRun && told.contains(taken.item)
                let deletion = try isBack ? delete(taken, unless: needed) : .none
                let isTold = told.contains(taken.item) && deletion == .none
                if !isTold {
                    let outcome = isBack ? .alreadyThere : outcome.ofReturned
                    rows.append(UndoOutput.Row(place, taken, outcome, deletion))
                }
                if deletion == .none { left.append(taken) }
            }
            kept.append(UndoRun(shape: run.shape, secrets: left))
        }
        record.setReturned(kept)
        if !isDryRun { try store.save(record, of: place, accessibility: .afterFirstUnlock) }
        return rows
    }

    /// What the keychain holds now, and what it refuses to hand out.
    private func values(
        of run: UndoRun
    ) -> (values: [String: ReturnedValue], refusals: [String: KeychainFailure]) {
        var values: [String: ReturnedValue] = [:]
        var refusals: [String: KeychainFailure] = [:]
        for taken in run.secrets where values[taken.key] == nil {
            do throws(KeychainFailure) {
                let item = try surroundings.keychain.read(taken.item)
                values[taken.key] = item.flatMap(ReturnedValue.init)
            } catch {
                refusals[taken.key] = error
            }
        }
        return (values, refusals)
    }

    private func carryOut(_ errand: UndoErrand) -> [UndoOutcome] {
        do throws(SourceFailure) {
            switch errand.run.shape.format {
            case SecretServiceSource.storeName:
                let service = try surroundings.secretService()
                return try SecretServiceUndo(errand: errand, service: service).run()
            case PropertyListPlan.format: return try PropertyListUndo(errand).run()
            case let name:
                guard let format = PlaintextFormat.named(name) else {
                    return errand.all(.failed("its record is damaged"))
                }
                return try TextUndo(errand, format: format).run()
            }
        } catch {
            return errand.all(.failed(error.description))
        }
    }

    /// Deletes an item that the migration made, if the user asked for that.
    ///
    /// It stays as long as another store that has not got its secret back rests on it.
    private func delete(
        _ taken: TakenSecret,
        unless needed: Set<ItemAddress>
    ) throws(KeychainFailure) -> UndoOutput.Deletion {
        guard arguments.has(.deleteItems), taken.isNew, !needed.contains(taken.item) else {
            return .none
        }
        if isDryRun { return .planned }
        try surroundings.keychain.delete(taken.item)
        return .done
    }

    private func onKeychain<R>(
        _ body: () throws(KeychainFailure) -> R
    ) throws(CommandFailure) -> R {
        do throws(KeychainFailure) { return try body() } catch {
            throw .keychain(error.keychainError)
        }
    }
}

extension UndoErrand {
    /// What would become of a run whose store is not yet as this run left it.
    fileprivate var forecast: [UndoOutcome] {
        run.secrets.map { values[$0.key] == nil ? .missing : .planned }
    }
}

extension UndoOutcome {
    /// What is said of a secret that was written back once.
    fileprivate var ofReturned: UndoOutcome {
        switch self {
        case .planned, .changed: .onlyInKeychain
        default: self
        }
    }
}

extension KeychainFailure {
    var keychainError: KeychainError {
        KeychainError(
            SecurityStatus(rawValue: status),
            "the keychain refused to \(operation.rawValue)"
        )
    }
}
