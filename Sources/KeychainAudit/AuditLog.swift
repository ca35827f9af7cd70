import CallerEvidence
import Glibc
import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "code": chains a line to the one before. "durable": known to be on the disk.
//              "head": the file that names the last durable line.
//              "waiting": taken by `appendSoon`, and not written yet.
// Invariants   (1) A line is in its file, complete, when `append` returns; or it is counted as
//                  lost, and the next line that can be written is preceded by one that says so.
//                  `writeWaiting` does the same for every line that waited before it.
//              (2) The head names no line that is not durable: after a power failure it is never
//                  ahead of the files.
//              (3) Nothing that was written is changed. Only an unfinished end after the head,
//                  which a crash left, is cut off, and a line says so.
//              (4) `append` waits for no disk: it writes, and other calls synchronize.
//              (5) Lines are written in the order in which they were taken. At most
//                  `waitingLimit` wait.
//
// Source: Documentation/Spec/log.md.

/// The log of an account: one line per decision, chained so that a change is detectable.
///
/// Only one object at a time has a directory. Every method may be called by any thread.
package final class AuditLog: Sendable {
    /// The limits for the size of a file and for the number of files.
    package struct Limits: Sendable {
        package var fileByteCount = 1 << 20
        package var fileCount = 16

        package init(fileByteCount: Int = 1 << 20, fileCount: Int = 16) {
            self.fileByteCount = fileByteCount
            self.fileCount = fileCount
        }
    }

    /// A function that receives the lines for the system's journal, without group and item.
    package typealias Journal = @Sendable (String) -> Void

    /// The largest file that is read, for any limits.
    static let readByteCountLimit = 1 << 26

    /// The largest number of full files that wait for the disk; with more, lines are lost.
    private static let sealedCountLimit = 64

    let folder: LogFolder
    let keys: AuditKeys
    let limits: Limits
    private let headFile: LogFile
    private let now: @Sendable () -> Int64
    private let journal: Journal?
    private let note: @Sendable (String) -> Void
    private let state: AdaptiveMutex<State>
    /// Lines that wait, in their order; no line is written under this lock.
    private let waiting = AdaptiveMutex<[WaitingLine]>([])
    private static let waitingLimit = 512
    /// A lock for reading files and for removing old ones.
    let files = AdaptiveMutex<Void>(())

    struct State: Sendable {
        var file: LogFile
        /// The offset of the next line.
        var offset: Int
        /// The numbers of the oldest line that is kept, and of the last one.
        var first: UInt64
        var last: UInt64
        var lastCode: [UInt8]
        /// The last line that the head names.
        var durable: UInt64 = 0
        /// Files that were rotated and are not yet durable.
        var sealed: [LogFile] = []
        /// Lines that could not be written since the last one that could.
        var lostCount: UInt64 = 0
        var isClosed = false
    }

    /// Opens the log of a directory, or creates one.
    ///
    /// - Parameters:
    ///   - directory: Its directory, such as `log` in the account's.
    ///   - key: 32 bytes: the engine's key for the label `log`.
    ///   - now: Returns the seconds since 1970.
    ///   - limits: The size of a file, and the number of files to keep.
    ///   - journal: Receives every line, without group and item.
    ///   - note: Receives the reasons why lines cannot be written.
    /// - Throws: `errSecNotAvailable` if another process has the log; the system's error.
    package init(
        directory: String,
        key: SharedSecret,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
        limits: Limits = Limits(),
        journal: Journal? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(KeychainError) {
        let keys = try AuditKeys(key.secret)
        let folder = try LogFolder(directory)
        guard let head = try folder.file(LogFolder.headName, O_RDWR | O_CREAT) else {
            throw .log("open", directory + "/" + LogFolder.headName)
        }
        guard head.tryLock() else {
            throw KeychainError(.notAvailable, "\(directory) is in use by another process")
        }
        let opening = LogOpening(folder: folder, head: head, keys: keys, time: now())
        state = AdaptiveMutex(try opening.open())
        self.keys = keys
        self.folder = folder
        self.headFile = head
        self.limits = limits
        self.now = now
        self.journal = journal
        self.note = note
        try synchronizeOrThrow()
    }

    /// Writes a line after the waiting ones; it never fails, and never waits for a disk.
    package func append(_ line: LogLine) { write([WaitingLine(line)]) }

    /// Takes a line that `writeWaiting` writes later; writes only if too many wait.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - item: The item that the call named, if the line has no digest of it yet.
    package func appendSoon(_ line: LogLine, naming item: NamedItem? = nil) {
        let isFull = waiting.withLock { waiting in
            waiting.append(WaitingLine(line, item))
            return waiting.count >= Self.waitingLimit
        }
        if isFull { writeWaiting() }
    }

    /// Writes the lines that wait.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    package func writeWaiting() -> Bool { write([]) }

    /// Writes lines after the waiting ones.
    ///
    /// - Returns: Whether there were any lines to write.
    @discardableResult
    private func write(_ last: [WaitingLine]) -> Bool {
        let (lines, failure) = state.withLock { state -> ([WaitingLine], String?) in
            // The holder of the state takes all waiting lines, so that none overtakes another.
            let lines = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            var failure: String?
            for line in lines + last where !state.isClosed {
                let hadLost = state.lostCount > 0
                if write(line.line(in: self), &state) { continue }
                state.lostCount &+= 1
                if !hadLost { failure = "\(state.file.path) cannot be written: lines are lost" }
            }
            return (lines + last, failure)
        }
        if let failure { note(failure) }
        if let journal { for line in lines { journal(line.line.journalText) } }
        return !lines.isEmpty
    }

    /// Makes the lines so far durable, and records them in the head; call it about once a second.
    ///
    /// - Returns: Whether there was work to do.
    @discardableResult
    package func synchronize() -> Bool {
        do throws(KeychainError) { return try synchronizeOrThrow() } catch {
            note("the log is not durable: \(error.reason)")
            return true
        }
    }

    /// Makes all lines durable; later lines are sent only to the journal.
    ///
    /// Another object may open the log at once, even while references to this one exist.
    package func close() {
        writeWaiting()
        synchronize()
        files.withLock { _ in
            state.withLock { $0.isClosed = true }
            headFile.unlock()
        }
    }

    /// Whether the log has this key.
    package func hasKey(_ key: SharedSecret) -> Bool {
        guard let others = try? AuditKeys(key.secret) else { return false }
        return keys.agree(with: others)
    }

    /// Whether no line waits for the disk.
    package var isDurable: Bool {
        waiting.withLock(\.isEmpty) && state.withLock { $0.durable >= $0.last }
    }

    /// The number of the last line.
    package var last: LogPosition { LogPosition(lineNumber: bounds.last) }

    /// The bounds of the log: the oldest line that is kept, and the last one with its code.
    var bounds: (first: UInt64, last: UInt64, lastCode: [UInt8]) {
        writeWaiting()
        return state.withLock { ($0.first, $0.last, $0.lastCode) }
    }
}

// The functions that write.
extension AuditLog {
    private func write(_ line: LogLine, _ state: inout State) -> Bool {
        if state.lostCount > 0 {
            let lost = LogLine.ofDaemon(.lost, "\(state.lostCount) lines were lost", now())
            guard writeOne(lost, &state) else { return false }
            state.lostCount = 0
        }
        return writeOne(line, &state)
    }

    private func writeOne(_ line: LogLine, _ state: inout State) -> Bool {
        if state.offset >= limits.fileByteCount { return writeFirst(line, &state) }
        guard let number = state.last.successor,
            let written = keys.text(of: line, number, after: state.lastCode)
        else { return false }
        guard state.file.write(written.bytes, at: state.offset) else {
            // The written part of it is removed; if that fails, the next line overwrites it.
            _ = state.file.cut(to: state.offset)
            return false
        }
        state.offset += written.bytes.count
        state.last = number
        state.lastCode = written.code
        return true
    }

    /// Writes a line to a new file.
    private func writeFirst(_ line: LogLine, _ state: inout State) -> Bool {
        guard state.sealed.count < Self.sealedCountLimit, let number = state.last.successor,
            let made = try? LogFile.make(line, number, after: state.lastCode, in: folder, keys)
        else { return false }
        state.sealed.append(state.file)
        state.file = made.file
        state.offset = made.byteCount
        state.last = number
        state.lastCode = made.code
        return true
    }

    @discardableResult
    private func synchronizeOrThrow() throws(KeychainError) -> Bool {
        try files.withLock { _ throws(KeychainError) in
            let known = state.withLock { $0 }
            guard known.last > known.durable, !known.isClosed else { return false }
            for file in known.sealed { try file.synchronize() }
            try known.file.synchronize()
            if !known.sealed.isEmpty || known.durable == 0 { try folder.synchronize() }
            let first = try oldestKept(known.first)
            try writeHead(first: first, last: known.last, known.lastCode)
            state.withLock { state in
                state.first = first
                state.durable = known.last
                state.sealed.removeFirst(known.sealed.count)
            }
            for number in try folder.firstNumbers() where number < first {
                try folder.remove(LogFolder.name(first: number))
            }
            return true
        }
    }

    /// Returns the number of the oldest line after files beyond the limit are removed.
    private func oldestKept(_ first: UInt64) throws(KeychainError) -> UInt64 {
        let present = try folder.firstNumbers().filter { $0 >= first }
        // A file that was removed by hand stays missing until its line numbers expire.
        guard present.count > limits.fileCount else { return first }
        return present.suffix(max(1, limits.fileCount)).first ?? first
    }

    private func writeHead(
        first: UInt64,
        last: UInt64,
        _ lastCode: [UInt8]
    ) throws(KeychainError) {
        let text = LogHead.text(first: first, last: last, lastCode: lastCode)
        guard let code = keys.code(.head, of: text) else {
            throw KeychainError(.internalComponent, "the log's head cannot be computed")
        }
        guard headFile.write(text + LogText.ending(with: code), at: 0),
            headFile.cut(to: LogHead.byteCount)
        else { throw .log("write", headFile.path) }
        try headFile.synchronize()
    }
}

extension UInt64 {
    /// The next number; nil after the largest.
    var successor: UInt64? { self < .max ? self + 1 : nil }
}

extension AuditKeys {
    /// The usual size of a line and its prefix for authentication, so that it is allocated once.
    private static let usualByteCount = 384

    /// Returns the whole text of a line, and its code; nil if libcrypto fails.
    ///
    /// The message for authentication and the text are built in the same memory.
    func text(
        of line: LogLine,
        _ number: UInt64,
        after previous: [UInt8]
    ) -> (bytes: ArraySlice<UInt8>, code: [UInt8])? {
        var message: [UInt8] = []
        message.reserveCapacity(Self.usualByteCount)
        message.append(Kind.line.rawValue)
        message.append(contentsOf: previous)
        let start = message.count
        StoredLine.append(line, number: number, to: &message)
        guard let code = code(of: message) else { return nil }
        LogText.appendEnding(with: code, to: &message)
        return (message[start...], code)
    }
}

extension LogFile {
    /// Creates a file with its header and one line, written together.
    static func make(
        _ line: LogLine,
        _ number: UInt64,
        after previous: [UInt8],
        in folder: LogFolder,
        _ keys: AuditKeys
    ) throws(KeychainError) -> (file: LogFile, byteCount: Int, code: [UInt8]) {
        let name = LogFolder.name(first: number)
        let header = LogHeader.text(first: number, previous: previous)
        guard let headerCode = keys.code(.header, of: header),
            let (bytes, code) = keys.text(of: line, number, after: headerCode)
        else { throw KeychainError(.internalComponent, "the log's codes cannot be computed") }
        guard let file = try folder.file(name, O_RDWR | O_CREAT | O_EXCL) else {
            throw .log("open", folder.path + "/" + name)
        }
        let whole = header + LogText.ending(with: headerCode) + bytes
        guard file.write(whole, at: 0) else {
            let error = KeychainError.log("write", file.path)
            try? folder.remove(name)
            throw error
        }
        return (file, whole.count, code)
    }
}
