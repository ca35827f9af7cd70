import Cryptography
import Foundation
import KeychainMigration
import PlaintextFormats
import Secrets

// Definitions  "rest": the file without any of the run's secrets, as the migration left it.
// Invariants   (1) A file whose rest differs from the record changes only in three cases: the user
//                  forces it; it means the same apart from what the command told the user to add;
//                  or a later run, whose rest it was, was just put back.
//              (2) The written file reads as before, with the secrets that were put back.
//              (3) The file is replaced as a whole and read back before anything else happens.
//              (4) A secret without a place in the file goes to a separate file, if the user forces
//                  it.

/// Puts the secrets of one run back into a plain text file.
struct TextUndo {
    private let request: UndoRequest
    private let format: PlaintextFormat
    private let file: PlainFile

    init(_ request: UndoRequest, format: PlaintextFormat) {
        self.request = request
        self.format = format
        file = PlainFile(URL(filePath: request.place))
    }

    /// Writes the file if anything changes; returns an outcome for each secret of the run.
    func run() throws(SourceFailure) -> [UndoOutcome] {
        let bytes = try file.read()
        if bytes == nil, !request.isForced, !request.followsLaterRun,
            request.run.shape.rest != digest(of: Data())
        {
            return request.all(.changed("the file is gone"))
        }
        let content = SharedSecret(Secret(copying: bytes ?? Data()))
        let draft: TextUndoDraft
        do throws(PlaintextError) {
            draft = try restored(try PlaintextFile(content, as: format))
        } catch {
            guard request.isForced else {
                return request.all(.changed("the file cannot be read: \(error)"))
            }
            return try setAside(
                request.run.secrets.map { request.values[$0.key] == nil ? .missing : .noPlace }
            )
        }
        if let content = draft.changed, !request.isDryRun {
            let whole = Data(content.secret.copyBytesUnprotected())
            let mode = request.run.shape.mode
            try file.replace(
                with: whole,
                mode: mode ?? 0o600,
                limit: mode ?? 0o7777,
                ifStill: bytes
            )
            guard try file.read() == whole else { throw SourceFailure(.changed, file.name) }
        }
        return try setAside(draft.outcomes)
    }

    private func restored(_ file: PlaintextFile) throws(PlaintextError) -> TextUndoDraft {
        var draft = TextUndoDraft(file, request, format)
        try draft.restore(
            hasRest: { digest(of: $0) == request.run.shape.rest },
            hasMeaning: { content in
                guard let known = request.run.shape.meaning else { return false }
                return format.meaning(of: content).flatMap(digest) == known
            }
        )
        return draft
    }

    /// Writes secrets without a place in the file to another one, if the user forces it.
    ///
    /// Each entry appears there as it was in the file, below its name.
    private func setAside(_ outcomes: [UndoOutcome]) throws(SourceFailure) -> [UndoOutcome] {
        guard request.isForced, outcomes.contains(.noPlace) else { return outcomes }
        var whole = Data()
        for (taken, outcome) in zip(request.run.secrets, outcomes) where outcome == .noPlace {
            guard case .text(let trace) = taken.origin, let value = request.values[taken.key]
            else { throw SourceFailure(.damaged, "the record of \(file.name)") }
            let entry = trace.entry(value.shared, remark: value.sharedRemark)
            whole += Data("# \(taken.what)\n".utf8) + Data(entry.copyBytesUnprotected())
            if whole.last != UInt8(ascii: "\n") { whole += Data("\n".utf8) }
        }
        let name = request.isDryRun ? nil : try SetAsideFile(beside: request.place).write(whole)
        let outcome = name.map(UndoOutcome.setAside) ?? .planned
        return outcomes.map { $0 == .noPlace ? outcome : $0 }
    }

    private func digest(of bytes: Data) -> [UInt8]? { try? Digest.sha256([UInt8](bytes)) }

    private func digest(of content: SharedSecret) -> [UInt8]? {
        try? Digest.sha256(content.secret.copyBytesUnprotected())
    }
}
