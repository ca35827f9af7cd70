import Foundation
import KeychainMigration

/// Puts the secrets of one run back into a property list.
struct PropertyListUndo {
    private let errand: UndoErrand
    private let source: PropertyListSource

    init(_ errand: UndoErrand) {
        self.errand = errand
        source = PropertyListSource(file: PlainFile(URL(filePath: errand.place)))
    }

    /// Writes the file, unless nothing is to be written; an outcome for each secret of the run.
    func run() throws(SourceFailure) -> [UndoOutcome] {
        var outcomes: [UndoOutcome] = []
        var inserted: [(key: String, kind: PropertyListKind, secret: SecretBytes)] = []
        for taken in errand.run.secrets {
            let outcome = try outcome(of: taken)
            outcomes.append(outcome)
            guard outcome == errand.done, case .propertyList(let kind) = taken.origin,
                let value = errand.values[taken.key]
            else { continue }
            inserted.append((taken.key, kind, value.secret))
        }
        guard !inserted.isEmpty, !errand.isDryRun else { return outcomes }
        if errand.isForced { for (key, _, _) in inserted { try source.delete(key) } }
        try source.insert(inserted)
        for (key, _, secret) in inserted {
            guard let found = try source.read(key), found.secret.matches(secret) else {
                throw SourceFailure(.changed, source.name)
            }
        }
        return outcomes
    }

    private func outcome(of taken: TakenSecret) throws(SourceFailure) -> UndoOutcome {
        let value = errand.values[taken.key]
        guard let found = try source.read(taken.key) else {
            return value == nil ? .missing : errand.done
        }
        guard let value, !value.secret.matches(found.secret) else { return .alreadyThere }
        return errand.isForced ? errand.done : .changed("the list has another value")
    }
}
