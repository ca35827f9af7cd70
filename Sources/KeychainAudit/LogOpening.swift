import Glibc
import KeychainMessages
import KeychainModel

/// The opening of a log, which finds the place where it continues.
///
/// Damage that a crash can cause is repaired: bytes after the head that are not a whole line are
/// cut off. All other damage stays as evidence, and the log continues in a new file. Either way a
/// line says so.
struct LogOpening {
    let folder: LogFolder
    let head: LogFile
    let keys: AuditKeys
    let time: Int64

    /// - Returns: The state from which the log continues; its last line may be about the log
    ///   itself.
    /// - Throws: The system's error, also for a full disk.
    func open() throws(KeychainError) -> AuditLog.State {
        let bytes = try head.readAll(limit: LogHead.byteCount)
        let known = bytes.flatMap(LogHead.init(parsing:)).flatMap { head in
            keys.code(.head, of: head.text.dropLast(33)) == head.code ? head : nil
        }
        guard let known else { return try openWithoutHead(isNew: bytes?.isEmpty ?? false) }
        let numbers = try folder.firstNumbers()
        guard let newest = numbers.last else {
            return try goOn(after: known, 0, damage: "every file is missing")
        }
        guard let holder = numbers.last(where: { $0 <= known.last }) else {
            return try goOn(after: known, newest, damage: "line \(known.last) is missing")
        }
        let found = try extent(of: holder, known.last)
        if let problem = problem(of: found, holder, known) {
            return try goOn(after: known, max(newest, found.last), damage: problem)
        }
        return try resume(
            holder,
            found,
            numbers.filter { $0 > known.last },
            known.first,
            durable: known.last
        )
    }

    /// Returns the fault of the file that has the line of the head.
    private func problem(of found: LogExtent, _ number: UInt64, _ known: LogHead) -> String? {
        guard found.first == number else {
            return "the header of \(LogFolder.name(first: number)) was changed"
        }
        guard found.last >= known.last else {
            return found.isWhole
                ? "lines \(found.last + 1) to \(known.last) are missing"
                : "line \(found.last + 1) was changed or removed"
        }
        guard found.codeOfInterest == known.lastCode else {
            return "line \(known.last) is not the one that was written"
        }
        return nil
    }

    /// Continues after the last line that follows the head's without a gap.
    ///
    /// Bytes after that line are the result of a power failure: some of them may have reached the
    /// disk before earlier ones.
    private func resume(
        _ holder: UInt64,
        _ extent: LogExtent,
        _ later: [UInt64],
        _ first: UInt64,
        durable: UInt64
    ) throws(KeychainError) -> AuditLog.State {
        var newest = holder
        var found = extent
        var unfinished = 0
        for number in later {
            let next = try self.extent(of: number, 0)
            let isNext =
                unfinished == 0 && found.isWhole && found.last.successor == number
                && next.first == number && next.previous == found.lastCode && next.last >= number
            if isNext {
                newest = number
                found = next
            } else {
                unfinished += next.fileByteCount
                try folder.remove(LogFolder.name(first: number))
            }
        }
        let name = LogFolder.name(first: newest)
        guard let file = try folder.file(name, O_RDWR) else {
            throw .log("open", folder.path + "/" + name)
        }
        var state = AuditLog.State(
            file: file,
            offset: found.byteCount,
            first: first,
            last: found.last,
            lastCode: found.lastCode,
            durable: durable
        )
        unfinished += found.fileByteCount - found.byteCount
        if unfinished > 0 { try cut(unfinished, &state) }
        return state
    }

    /// Cuts off the bytes after the last whole line, and records that in a line.
    private func cut(_ unfinished: Int, _ state: inout AuditLog.State) throws(KeychainError) {
        guard state.file.cut(to: state.offset) else { throw .log("ftruncate", state.file.path) }
        let line = LogLine.ofDaemon(.unfinished, "\(unfinished) bytes of unfinished lines", time)
        guard let number = state.last.successor,
            let written = keys.text(of: line, number, after: state.lastCode),
            state.file.write(written.bytes, at: state.offset)
        else { throw .log("write", state.file.path) }
        state.offset += written.bytes.count
        state.last = number
        state.lastCode = written.code
    }

    private func openWithoutHead(isNew: Bool) throws(KeychainError) -> AuditLog.State {
        guard let newest = try folder.firstNumbers().last else {
            // An empty head without files: a log that was never started, or whose start a crash
            // interrupted.
            return isNew
                ? try goOn(1, after: 0, AuditKeys.noCode, .begun, "")
                : try goOn(1, after: 0, AuditKeys.noCode, .damaged, "the head was changed")
        }
        let first = try folder.firstNumbers().first ?? newest
        let found = try extent(of: newest, 0)
        if isNew, newest == 1, first == 1, found.last == 1, found.isWhole {
            // A crash between the very first line and the first head.
            return try resume(newest, found, [], 1, durable: 0)
        }
        let reason = isNew ? "the head is missing" : "the head was changed"
        let code = found.first == nil ? AuditKeys.noCode : found.lastCode
        return try goOn(first, after: max(newest, found.last), code, .damaged, reason)
    }

    /// Continues after all existing lines, which stay unchanged.
    private func goOn(
        after known: LogHead,
        _ last: UInt64,
        damage reason: String
    ) throws(KeychainError) -> AuditLog.State {
        try goOn(known.first, after: max(known.last, last), known.lastCode, .damaged, reason)
    }

    /// Continues in a new file, whose first line is about the log itself.
    private func goOn(
        _ first: UInt64,
        after last: UInt64,
        _ lastCode: [UInt8],
        _ event: LogEvent,
        _ reason: String
    ) throws(KeychainError) -> AuditLog.State {
        guard let number = last.successor else {
            throw KeychainError(.notAvailable, "\(folder.path) has no number for another line")
        }
        let line = LogLine.ofDaemon(event, reason, time)
        let made = try LogFile.make(line, number, after: lastCode, in: folder, keys)
        return AuditLog.State(
            file: made.file,
            offset: made.byteCount,
            first: first,
            last: number,
            lastCode: made.code
        )
    }

    private func extent(
        of number: UInt64,
        _ interest: UInt64
    ) throws(KeychainError) -> LogExtent {
        let file = try folder.file(LogFolder.name(first: number), O_RDONLY)
        let bytes = try file?.readAll(limit: AuditLog.readByteCountLimit) ?? []
        return LogExtent(of: bytes, keys: keys, interest: interest)
    }
}
