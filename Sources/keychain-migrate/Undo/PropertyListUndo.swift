import Foundation
import KeychainMigration

/// Puts the secrets of one run back into a property list.
struct PropertyListUndo {
    private let request: UndoRequest
    private let source: PropertyListSource

    init(_ request: UndoRequest) {
        self.request = request
        source = PropertyListSource(file: PlainFile(URL(filePath: request.place)))
    }

    /// Writes the file if anything changes; returns an outcome for each secret of the run.
    func run() throws(SourceFailure) -> [UndoOutcome] {
        var outcomes: [UndoOutcome] = []
        var returned: [PropertyListSource.ReturnedEntry] = []
        for taken in request.run.secrets {
            let outcome = try outcome(of: taken)
            outcomes.append(outcome)
            guard outcome == request.done, case .propertyList(let kind) = taken.origin,
                let value = request.values[taken.key]
            else { continue }
            returned.append(.init(key: taken.key, kind: kind, secret: value.secret))
        }
        guard !returned.isEmpty, !request.isDryRun else { return outcomes }
        let left = try source.insert(
            returned,
            isForced: request.isForced,
            limit: request.run.shape.mode ?? 0o7777
        )
        for entry in returned where !left.contains(entry.key) {
            guard let found = try source.read(entry.key), found.secret.matches(entry.secret) else {
                throw SourceFailure(.changed, source.name)
            }
        }
        return try setAside(returned.filter { left.contains($0.key) }, outcomes)
    }

    /// Writes entries without a place in the list to a separate list.
    private func setAside(
        _ entries: [PropertyListSource.ReturnedEntry],
        _ outcomes: [UndoOutcome]
    ) throws(SourceFailure) -> [UndoOutcome] {
        guard !entries.isEmpty else { return outcomes }
        guard let list = PropertyListSource.list(of: entries) else {
            throw SourceFailure(.unsupportedValue, source.name)
        }
        let name = try SetAsideFile(beside: request.place).write(list)
        let keys = Set(entries.map(\.key))
        return zip(request.run.secrets, outcomes).map { taken, outcome in
            keys.contains(taken.key) ? .setAside(name) : outcome
        }
    }

    private func outcome(of taken: TakenSecret) throws(SourceFailure) -> UndoOutcome {
        let value = request.values[taken.key]
        guard let found = try source.read(taken.key) else {
            return value == nil ? .missing : request.done
        }
        guard let value, !value.secret.matches(found.secret) else { return .alreadyThere }
        return request.isForced ? request.done : .changed("the list has another value")
    }
}
