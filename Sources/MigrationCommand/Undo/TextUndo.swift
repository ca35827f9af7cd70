import Cryptography
import Foundation
import KeychainMigration
import PlaintextStores
import Secrets

// Definitions  "rest": the file without any of the run's secrets, as the migration left it.
// Invariants   (1) A file whose rest is not the recorded one changes only if the user forces it, or
//                  if a later run, whose rest it was, was just put back.
//              (2) What is written reads as before, with the secrets that were put back.
//              (3) The file is replaced as a whole and read back before anything else happens.

/// Puts the secrets of one run back into a plain text file.
struct TextUndo {
    private let errand: UndoErrand
    private let format: PlaintextFormat
    private let file: PlainFile

    init(_ errand: UndoErrand, format: PlaintextFormat) {
        self.errand = errand
        self.format = format
        file = PlainFile(URL(filePath: errand.place))
    }

    /// Writes the file, unless nothing is to be written; an outcome for each secret of the run.
    func run() throws(SourceFailure) -> [UndoOutcome] {
        let bytes = try file.read()
        if bytes == nil, !errand.isForced, !errand.followsLaterRun,
            errand.run.shape.rest != digest(of: Data())
        {
            return errand.all(.changed("the file is gone"))
        }
        let content = SharedSecret(Secret(copying: bytes ?? Data()))
        var draft = TextUndoDraft(try parsed(content), errand, format)
        do throws(PlaintextError) {
            try draft.restore(hasRest: { digest(of: $0) == errand.run.shape.rest })
        } catch {
            return errand.all(.failed("the file cannot be read without its secrets: \(error)"))
        }
        if let content = draft.changed, !errand.isDryRun {
            let bytes = Data(content.secret.copyBytesUnprotected())
            try file.replace(with: bytes, mode: errand.run.shape.mode ?? 0o600)
            guard try file.read() == bytes else { throw SourceFailure(.changed, file.name) }
        }
        return draft.outcomes
    }

    private func parsed(_ content: SharedSecret) throws(SourceFailure) -> PlaintextFile {
        do throws(PlaintextError) {
            return try PlaintextFile(content, as: format)
        } catch {
            throw SourceFailure(.damaged, "\(file.name), \(error)")
        }
    }

    private func digest(of bytes: Data) -> [UInt8]? { try? Digest.sha256([UInt8](bytes)) }

    private func digest(of content: SharedSecret) -> [UInt8]? {
        try? Digest.sha256(content.secret.copyBytesUnprotected())
    }
}
