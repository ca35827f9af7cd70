import Glibc
import KeychainModel
import ProtectedFiles
import Secrets

/// The verbs of `file` that replace an old file with a new one.
enum FileMaking {
    /// The interval at which a silent standard input is checked for signals, in milliseconds.
    private static let patience: Int32 = 50

    @Sendable static func protect(_ path: String, _ run: FileRun) throws(CommandFailure) {
        let fileClass = try FileClassWord.option(run.arguments)
        let directory = "keychainctl file class CLASS \(path) states a class for new files in it"
        let facts = try FileKind.requireRegular(path, directory)
        try run.context.requireOutsideKeychain(path)
        guard !FileContainer.isProtected(path) else {
            // The class of a damaged file cannot change, so the damage is reported instead.
            _ = try run.context.filing(path) { () throws(FileFailure) in
                try FileContainer.examine(path)
            }
            throw .input("\(path) is protected already; run keychainctl file class")
        }
        let group = run.arguments[.accessGroup]
        let (made, losses) = try run.context.making(path, "protecting", facts?.count) {
            source,
            step throws(FileFailure) in
            try PlainFile.protect(path, fileClass, group: group, source, step: step)
        }
        try run.context.note(
            "\(path) is protected with class \(made.name), which \(made.lockWords); blocks of the "
                + "plain file may remain on the disk, and so do copies"
        )
        try run.context.tell(losses, of: path)
    }

    @Sendable static func unprotect(_ path: String, _ run: FileRun) throws(CommandFailure) {
        _ = try FileKind.requireRegular(path, "add --recursive for the files in it")
        try run.context.requireOutsideKeychain(path)
        let count = try run.context.open(path, isWritable: false).byteCount
        let losses = try run.context.making(path, "making plain", count) {
            source,
            step throws(FileFailure) in
            try PlainFile.unprotect(path, source, step: step)
        }
        try run.context.note(
            "\(path) is plain now; its blocks may remain on the disk, also if you protect it again"
        )
        try run.context.tell(losses, of: path)
    }

    @Sendable static func write(_ path: String, _ run: FileRun) throws(CommandFailure) {
        let context = run.context
        let wanted = try FileClassWord.option(run.arguments)
        guard !context.terminal.inputIsTerminal else {
            throw .usage("nothing to write: give the content on standard input")
        }
        try FileKind.requireRegular(path)?.requireOneName(path)
        guard !FileKind.isStandardInput(path) else {
            throw .input("\(path) is standard input as well: it would contain itself")
        }
        try context.requireOutsideKeychain(path)
        // The file stays open, so that no other process writes to it meanwhile.
        let replaced = try context.filing(path) { () throws(FileFailure) in
            try ReplacedFile(RealPath.of(path), try context.source())
        }
        // The buffer is large enough that two threads share the work.
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        defer { buffer.wipe() }
        var count = try CommandFailure.wrapping(try context.terminal.fill(&buffer))
        let countBefore = replaced.byteCount ?? 0
        guard count > 0 || countBefore == 0 || run.arguments.has(.allowEmpty) else {
            throw .input(
                "standard input is empty, so \(path) is as it was; add --allow-empty to empty it"
            )
        }
        let losses = try context.making(path, "writing", nil) { source, step throws(FileFailure) in
            let group = run.arguments[.accessGroup]
            let file = try NewFile(over: replaced, wanted, group: group, source)
            var offset = 0
            while count > 0 {
                try buffer.lend(count) { bytes throws(FileFailure) in
                    try file.container.write(bytes, at: offset)
                }
                offset += count
                try step(offset)
                while !context.terminal.inputIsReady(within: patience) { try step(offset) }
                do throws(KeychainError) { count = try context.terminal.fill(&buffer) } catch {
                    throw FileFailure.keychain(error)
                }
            }
            try file.publish()
            try replaced.container?.close()
            return file.losses
        }
        if replaced.byteCount != nil, replaced.container == nil {
            try context.note(
                "\(path) was plain; its blocks may remain on the disk, and so do copies"
            )
        }
        try context.tell(losses, of: path)
    }
}

extension FileClass {
    /// A phrase about what the lock does to a file of this class.
    fileprivate var lockWords: String {
        switch self {
        case .complete: "locks with the keychain"
        case .completeUnlessOpen: "locks with the keychain, except for who has it open"
        case .completeUntilFirstUserAuthentication: "opens also while the keychain is locked"
        case .none: "always opens"
        }
    }
}

extension CommandContext {
    /// Makes a file.
    ///
    /// A signal ends the process after the incomplete file has been removed.
    ///
    /// A terminal shows the progress.
    fileprivate func making<Value>(
        _ path: String,
        _ title: String,
        _ byteCount: Int?,
        _ body: (FileKeySource, PlainFile.Step) throws(FileFailure) -> Value
    ) throws(CommandFailure) -> Value {
        // The keychain's prompts come first.
        let source = try fileKeys()
        let held = HeldSignals()
        defer { held.release() }
        // Reports a file that becomes too large as an error, instead of dying from the signal.
        signal(SIGXFSZ, SIG_IGN)
        let line = ProgressLine(title, on: self)
        defer { line.clear() }
        return try filing(path) { () throws(FileFailure) in
            try body(source) { done throws(FileFailure) in
                if held.arePending {
                    throw .system(path, verb: "completed", code: EINTR)
                }
                line.show(bytes: done, of: byteCount)
            }
        }
    }

    /// Reports the attributes that the new file could not take over from the old one.
    func tell(_ losses: [String], of path: String) throws(CommandFailure) {
        guard !losses.isEmpty else { return }
        try note("\(path) lost \(losses.joined(separator: ", "))")
    }
}
