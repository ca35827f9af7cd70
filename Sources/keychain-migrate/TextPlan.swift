import Foundation
import KeychainCommand
import KeychainMigration
import PlaintextFormats
import WebCredentials

/// The plan for the secrets in a plain text file.
struct TextPlan {
    private let path: String
    private let format: PlaintextFormat
    private let isNamed: Bool
    private let toolInstructions: ToolInstructions?
    private let dependencies: MigrateCommand.Dependencies
    private let arguments: Arguments

    init(
        path: String,
        format: PlaintextFormat,
        isNamed: Bool,
        _ dependencies: MigrateCommand.Dependencies,
        _ arguments: Arguments
    ) {
        self.path = path
        self.format = format
        self.isNamed = isNamed
        toolInstructions = ToolInstructions.of(format)
        self.dependencies = dependencies
        self.arguments = arguments
    }

    /// Every entry and every malformed line, in the order of the file; one failure if it is
    /// unreadable.
    var secrets: [PlannedSecret] {
        do throws(SourceFailure) {
            let path = try ResolvedPath.target(of: path)
            let source = PlaintextSource(path: path, format: format)
            guard let entries = try source.entries() else {
                let name = path.split(separator: "/").last.map(String.init) ?? path
                throw SourceFailure(.missing, "\(name), which is not there")
            }
            var known = Set<String>()
            // An entry that stays is reported even if another entry with the same place moves.
            let unique = entries.filter { entry in
                entry.hindrance != nil || known.insert(entry.place.key).inserted
            }
            let conflicts = conflicts(of: unique)
            let secrets = unique.map { secret($0, of: source, conflicts) }
            let oddities = source.oddities.map { PlannedSecret.oddity($0, of: path) }
            return (secrets + oddities).sorted { $0.line ?? 0 < $1.line ?? 0 }
        } catch {
            return [.failure(error, of: path)]
        }
    }

    /// Finds the records that have a part with another value in the keychain.
    private func conflicts(of entries: [PlaintextEntry]) -> RecordConflicts {
        let parts = entries.filter { $0.hindrance == nil }.compactMap { entry in
            entry.record.map { record in
                (
                    record: record, key: entry.place.key,
                    value: SecretBytes(Data(entry.secret.secret.copyBytesUnprotected())),
                    target: target(of: entry).address
                )
            }
        }
        return RecordConflicts(parts, in: dependencies.keychain)
    }

    private func target(of entry: PlaintextEntry) -> SecretTarget {
        let remark = entry.remark.flatMap { remark in
            remark.secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        }
        let comment = [remark, entry.appendix].compactMap { $0 }.joined(separator: "\n")
        return SecretTarget(
            entry.place,
            service: arguments[.service] ?? service,
            title: entry.title,
            remark: comment.isEmpty ? nil : comment,
            creator: format.name == "git-credentials" ? WebCredential.gitCreator : nil,
            isThisDeviceOnly: arguments.has(.thisDeviceOnly)
        )
    }

    private func secret(
        _ entry: PlaintextEntry,
        of source: PlaintextSource,
        _ conflicts: RecordConflicts
    ) -> PlannedSecret {
        let target = target(of: entry)
        let decision = decision(entry, target, source)
        let conflict = entry.record.flatMap { conflicts.outcome(of: entry.place.key, in: $0) }
        var secret = PlannedSecret(
            from: source.name,
            line: entry.line,
            what: entry.place.name,
            to: target.words,
            toolInstructions: toolInstructions?.recipe(entry, target.address.text(.service) ?? ""),
            decision: decision
        )
        secret.isForGit = format.name == "git-credentials"
        secret.record = entry.record.map { source.name + "/" + $0 }
        if let conflict, secret.move != nil { secret.decision = .report(conflict) }
        return secret
    }

    private func decision(
        _ entry: PlaintextEntry,
        _ target: SecretTarget,
        _ source: PlaintextSource
    ) -> PlannedSecret.Decision {
        if let hindrance = entry.hindrance { return .report(.kept(hindrance)) }
        if let toolInstructions, toolInstructions.isOnlyForNamedFiles, !isNamed {
            return .report(
                .kept("\(toolInstructions.tool) reads it only there; name the file to move it")
            )
        }
        if let variable = entry.variable, dependencies.isVariableSet(variable) {
            return .report(.kept("the variable \(variable) is set already; unset it to move this"))
        }
        guard entry.seemsSecret || arguments.has(.everything) else { return .seemsNoSecret }
        guard target.canTakeAlong(in: dependencies.keychain) else {
            return .report(.kept("its item is there already, with another note"))
        }
        return dependencies.moving(entry.place.key, from: source, to: target)
    }

    /// The service: the project of an environment file by its full path, or else the file's name.
    private var service: String {
        if format.name == "env" { return ProjectService.service(ofFile: path) }
        guard let file = path.split(separator: "/").last else { return "keychain" }
        return String(file.hasPrefix(".") ? file.dropFirst() : file)
    }
}
