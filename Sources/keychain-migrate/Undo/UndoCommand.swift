import Foundation
import KeychainCommand
import KeychainMigration
import KeychainModel
import PlaintextFormats

/// `keychainctl migrate --undo`: writes back the secrets that earlier runs took.
struct UndoCommand {
    let dependencies: MigrateCommand.Dependencies
    let arguments: Arguments

    var store: UndoStore {
        UndoStore(keychain: dependencies.keychain, home: dependencies.home)
    }

    var isDryRun: Bool { arguments.has(.dryRun) }

    /// Puts secrets back, and reports each one.
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
        let output = UndoOutput(rows: rows, home: dependencies.home)
        if !rows.isEmpty || unknown.isEmpty {
            try context.print(arguments.has(.json) ? output.json.page : output.page)
        }
        for sentence in output.narrowings + [output.advice, output.setting].compactMap({ $0 }) {
            try context.note(sentence)
        }
        if let failure = output.failure { throw failure }
        guard unknown.isEmpty else {
            let reason = "migrate took nothing out of " + unknown.joined(separator: ", ")
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
    }

    /// Returns the stores that the arguments name, by path or by a folder above; all without
    /// arguments.
    ///
    /// Other names are unknown, because an earlier run may have written their secrets back.
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
                // A folder in a record may have become a link since then.
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

    /// Undoes the runs of one store from the newest, up to one that cannot be undone completely.
    private func undo(
        _ record: UndoRecord,
        of place: String,
        besides others: [UndoRun]
    ) throws(KeychainFailure) -> [UndoOutput.Row] {
        var record = record
        var rows: [UndoOutput.Row] = []
        while let run = record.runs.popLast() {
            let needed = Set((others + record.runs).flatMap(\.secrets).map(\.item))
            let undone = try undo(run, of: place, besides: needed, followsLaterRun: !rows.isEmpty)
            rows += undone
            guard undone.allSatisfy(\.outcome.isSettled) else { return rows }
            let left = undone.filter { $0.deletion == .none }.map(\.taken)
            record.setReturned((record.returned ?? []) + [UndoRun(shape: run.shape, secrets: left)])
            if !isDryRun {
                try store.save(record, of: place, accessibility: .afterFirstUnlock)
            }
        }
        guard arguments.has(.deleteItems) else { return rows }
        return try rows + deleteReturned(&record, of: place, besides: others, after: rows)
    }

    /// Undoes one run, and deletes its items if the old store holds all its values.
    private func undo(
        _ run: UndoRun,
        of place: String,
        besides needed: Set<ItemAddress>,
        followsLaterRun: Bool
    ) throws(KeychainFailure) -> [UndoOutput.Row] {
        let (values, refusals) = values(of: run)
        let request = UndoRequest(
            place: place,
            run: run,
            values: values,
            isForced: arguments.has(.force),
            isDryRun: isDryRun,
            followsLaterRun: followsLaterRun
        )
        let hasMoreRights = request.hasMoreRights
        // In a dry run, the secrets of later runs are not back in the store.
        let found = isDryRun && followsLaterRun ? request.forecast : carryOut(request)
        let outcomes = zip(run.secrets, found).map { taken, outcome in
            guard outcome == .missing, let refusal = refusals[taken.key] else { return outcome }
            return .failed(refusal.description, SecurityStatus(rawValue: refusal.status))
        }
        let isWhole = outcomes.allSatisfy(\.isSettled)
        var rows: [UndoOutput.Row] = []
        for (taken, outcome) in zip(run.secrets, outcomes) {
            let isDeletable = isWhole && outcome.isInStore && values[taken.key] != nil
            let deletion = try isDeletable ? delete(taken, unless: needed) : .none
            var row = UndoOutput.Row(place, run.shape.format, taken, outcome, deletion)
            if hasMoreRights, outcome == .writtenBack { row.narrowedMode = run.shape.mode }
            rows.append(row)
        }
        return rows
    }

    /// Returns the keychain's current values, and the errors of those that it refuses.
    func values(
        of run: UndoRun
    ) -> (values: [String: ReturnedValue], refusals: [String: KeychainFailure]) {
        var values: [String: ReturnedValue] = [:]
        var refusals: [String: KeychainFailure] = [:]
        for taken in run.secrets where values[taken.key] == nil {
            do throws(KeychainFailure) {
                let item = try dependencies.keychain.read(taken.item)
                values[taken.key] = item.flatMap(ReturnedValue.init)
            } catch {
                refusals[taken.key] = error
            }
        }
        return (values, refusals)
    }

    func carryOut(_ request: UndoRequest) -> [UndoOutcome] {
        do throws(SourceFailure) {
            switch request.run.shape.format {
            case SecretServiceSource.storeName:
                let service = try dependencies.secretService()
                return try SecretServiceUndo(request: request, service: service).run()
            case PropertyListPlan.format: return try PropertyListUndo(request).run()
            case let name:
                guard let format = PlaintextFormat.named(name) else {
                    return request.all(.damagedRecord)
                }
                return try TextUndo(request, format: format).run()
            }
        } catch {
            return request.all(.failed(error))
        }
    }

    private func onKeychain<R>(
        _ body: () throws(KeychainFailure) -> R
    ) throws(CommandFailure) -> R {
        do throws(KeychainFailure) { return try body() } catch {
            throw .keychain(error.keychainError)
        }
    }
}

extension UndoRequest {
    /// The expected outcomes of a run, while later runs still change the store.
    fileprivate var forecast: [UndoOutcome] {
        run.secrets.map { values[$0.key] == nil ? .missing : .planned }
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
