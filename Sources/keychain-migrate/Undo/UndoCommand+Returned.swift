import KeychainCommand
import KeychainMigration

// Items that stay in the keychain after their secrets are back in the old store.
extension UndoCommand {
    /// Deletes the items of runs that were undone earlier, if the old store holds their values.
    ///
    /// Secrets that this command has just put back have their rows already.
    func deleteReturned(
        _ record: inout UndoRecord,
        of place: String,
        besides others: [UndoRun],
        after undone: [UndoOutput.Row]
    ) throws(KeychainFailure) -> [UndoOutput.Row] {
        let known = Set(undone.map(\.taken.item))
        let needed = Set(others.flatMap(\.secrets).map(\.item))
        var rows: [UndoOutput.Row] = []
        var kept: [UndoRun] = []
        for run in record.returned ?? [] {
            let found = try deleteItems(of: run, at: place, besides: needed, known: known)
            let left = found.filter { $0.deletion == .none }.map(\.taken)
            kept.append(UndoRun(shape: run.shape, secrets: left))
            rows += found.filter { $0.deletion != .none || !known.contains($0.taken.item) }
        }
        record.setReturned(kept)
        if !isDryRun { try store.save(record, of: place, accessibility: .afterFirstUnlock) }
        return rows
    }

    /// Returns a row for each item that is still in the keychain.
    private func deleteItems(
        of run: UndoRun,
        at place: String,
        besides needed: Set<ItemAddress>,
        known: Set<ItemAddress>
    ) throws(KeychainFailure) -> [UndoOutput.Row] {
        let values = values(of: run).values
        // A dry run examines the store without writing.
        let request = UndoRequest(
            place: place,
            run: run,
            values: values,
            isForced: false,
            isDryRun: true,
            followsLaterRun: false
        )
        var rows: [UndoOutput.Row] = []
        for (taken, found) in zip(run.secrets, carryOut(request)) where values[taken.key] != nil {
            // In a dry run, this command's own changes are not in the store.
            let isBack = found == .alreadyThere || isDryRun && known.contains(taken.item)
            let deletion = try isBack ? delete(taken, unless: needed) : .none
            let outcome = isBack ? .alreadyThere : found.ofReturned
            rows.append(UndoOutput.Row(place, run.shape.format, taken, outcome, deletion))
        }
        return rows
    }

    /// Deletes an item that the migration made, if the user requested it.
    ///
    /// The item stays while another store still depends on it for its secret.
    func delete(
        _ taken: TakenSecret,
        unless needed: Set<ItemAddress>
    ) throws(KeychainFailure) -> UndoOutput.Deletion {
        guard arguments.has(.deleteItems), taken.isNew, !needed.contains(taken.item) else {
            return .none
        }
        if isDryRun { return .planned }
        try dependencies.keychain.delete(taken.item)
        return .done
    }
}

extension UndoOutcome {
    /// The outcome for a secret that was written back earlier.
    fileprivate var ofReturned: UndoOutcome {
        switch self {
        case .planned, .changed: .onlyInKeychain
        default: self
        }
    }
}
