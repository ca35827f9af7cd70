import KeychainModel
import ProtectedFiles
import Secrets

/// `file edit`.
enum FileEditing {
    /// A file whose content is in an editor.
    private struct Loan {
        /// The path as the user spelled it.
        let path: String
        let file: FileContainer
        let replaced: ReplacedFile
        let context: CommandContext
    }

    /// Opens the content in an editor, and stores the saved text.
    @Sendable static func run(_ path: String, _ run: FileRun) throws(CommandFailure) {
        let context = run.context
        try FileKind.requireRegular(path)?.requireOneName(path)
        try context.requireOutsideKeychain(path)
        // Other writers get an error while the editor runs, so no change is lost.
        let replaced = try context.openReplaced(path)
        guard let file = replaced.container else { return }
        let loan = Loan(path: path, file: file, replaced: replaced, context: context)
        let name = ResolvedPath.name(of: file.path)
        let before = try content(of: loan)
        try LoanedText(name: name, context: context).edit(before) { after throws(CommandFailure) in
            try store(after, loan)
        }
    }

    private static func store(
        _ content: borrowing Secret,
        _ loan: Loan
    ) throws(CommandFailure) {
        let losses = try loan.context.filing(loan.path) { () throws(FileFailure) in
            let new = try NewFile(over: loan.replaced, nil, try loan.context.source())
            try content.withUnsafeBytes { bytes throws(FileFailure) in
                try new.container.write(bytes, at: 0)
            }
            try new.publish()
            return new.losses
        }
        try loan.context.tell(losses, of: loan.path)
    }

    private static func content(of loan: Loan) throws(CommandFailure) -> Secret {
        guard loan.file.byteCount <= InputFile.byteCountLimit else {
            let reason = "\(loan.path) is too large to edit: at most 16 MiB"
            throw .keychain(KeychainError(.dataTooLarge, reason))
        }
        return try loan.context.filing(loan.path) { () throws(FileFailure) in
            try Secret(byteCount: loan.file.byteCount) { bytes throws(FileFailure) in
                _ = try loan.file.read(into: bytes, at: 0)
            }
        }
    }
}
