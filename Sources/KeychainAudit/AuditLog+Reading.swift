import Glibc
import KeychainMessages
import KeychainModel

extension AuditLog {
    /// Returns the lines after a position, oldest first, without unreadable ones.
    ///
    /// It does not verify them; `verify` does.
    ///
    /// - Parameters:
    ///   - position: The last line that is known; nil for the start.
    ///   - limit: The largest number of lines.
    /// - Returns: The lines, and the position of the last of them.
    /// - Throws: The system's error.
    package func lines(
        after position: LogPosition?,
        limit: Int
    ) throws(KeychainError) -> (lines: [LogLine], next: LogPosition) {
        var known = position?.lineNumber ?? 0
        var lines: [LogLine] = []
        let bounds = bounds
        guard known < bounds.last, limit > 0 else { return ([], LogPosition(lineNumber: known)) }
        try files.withLock { _ throws(KeychainError) in
            let numbers = try folder.firstNumbers().filter { $0 >= bounds.first }
            // The next line is in the last file whose first line has at most its number.
            let start = numbers.lastIndex { $0 <= known.successor ?? .max } ?? 0
            for number in numbers.dropFirst(start) where lines.count < limit {
                var scan = LogScan(try bytes(of: number) ?? [])
                while lines.count < limit, let (piece, _) = scan.next() {
                    guard case .line(let stored) = piece, stored.number > known,
                        stored.number <= bounds.last
                    else { continue }
                    known = stored.number
                    lines.append(stored.line)
                }
            }
        }
        return (lines, LogPosition(lineNumber: lines.count < limit ? bounds.last : known))
    }

    /// Returns the content of a file; nil if it is missing or too large.
    private func bytes(of number: UInt64) throws(KeychainError) -> [UInt8]? {
        let file = try folder.file(LogFolder.name(first: number), O_RDONLY)
        return try file?.readAll(limit: Self.readByteCountLimit)
    }

    /// Verifies every line that is kept, from the first on.
    ///
    /// - Returns: The number of lines that are as they were written, and the faults.
    /// - Throws: The system's error.
    package func verify() throws(KeychainError) -> LogVerdict {
        try files.withLock { _ throws(KeychainError) in
            let bounds = bounds
            var check = LogCheck(keys: keys, next: bounds.first, last: bounds.last)
            for number in try folder.firstNumbers()
            where number >= bounds.first && number <= bounds.last {
                guard let bytes = try bytes(of: number) else {
                    check.fault("\(LogFolder.name(first: number)) is larger than a log's file")
                    continue
                }
                check.read(bytes, named: number)
            }
            return check.verdict(bounds.lastCode)
        }
    }
}

/// The state of a verification of a log.
struct LogCheck {
    /// The largest number of faults that are listed.
    private static let faultLimit = 100

    private let keys: AuditKeys
    private let last: UInt64
    /// The number that the next line must have.
    private var next: UInt64
    /// The code that the next header or line must follow; nil at the start.
    private var code: [UInt8]?
    private var soundCount: UInt64 = 0
    private var faults: [String] = []
    private var faultCount = 0

    init(keys: AuditKeys, next: UInt64, last: UInt64) {
        self.keys = keys
        self.next = next
        self.last = last
    }

    mutating func fault(_ sentence: String) {
        faultCount += 1
        if faults.count < Self.faultLimit { faults.append(sentence) }
    }

    mutating func read(_ bytes: [UInt8], named number: UInt64) {
        let name = LogFolder.name(first: number)
        var scan = LogScan(bytes)
        guard case (.header(let header), let text)? = scan.next(),
            keys.code(.header, of: text) == header.code, header.first == number
        else {
            fault("\(name): the header was changed")
            // The codes between the lines still separate the lines from each other.
            if number > next { next = number }
            code = nil
            return readLines(&scan, name)
        }
        if header.first > next {
            missing(upTo: header.first - 1)
        } else if header.first < next || code != nil && code != header.previous {
            fault("\(name) does not continue the file before it")
        }
        next = header.first
        code = header.code
        readLines(&scan, name)
    }

    private mutating func readLines(_ scan: inout LogScan, _ name: String) {
        // While the daemon runs, the file may have more lines than are verified.
        while next <= last, let (piece, text) = scan.next() {
            switch piece {
            case .line(let line): read(line, text, name)
            case .header, .other:
                fault("\(name): line \(next) was changed")
                next = next.successor ?? next
                code = nil
            case .unfinished:
                fault("\(name): line \(next) was cut short")
                next = next.successor ?? next
                code = nil
            }
        }
    }

    private mutating func read(_ line: StoredLine, _ text: ArraySlice<UInt8>, _ name: String) {
        let isRight = code.map { keys.code(.line, after: $0, of: text) == line.code }
        guard line.number >= next, line.number <= last else {
            fault("\(name): line \(line.number) is out of place")
            code = nil
            return
        }
        if line.number > next {
            missing(upTo: line.number - 1)
        } else if isRight == false {
            fault("\(name): line \(next) was changed, or the one before it")
        } else {
            // After a fault, one line has no code to be verified against.
            if isRight == true { soundCount += 1 }
            if line.line.verb == LogEvent.damaged.rawValue {
                fault("line \(next), \(LogTime.text(line.line.time)): \(line.line.rule)")
            }
        }
        next = line.number.successor ?? line.number
        code = line.code
    }

    private mutating func missing(upTo number: UInt64) {
        fault(
            number == next
                ? "line \(next) is missing" : "lines \(next) to \(number) are missing"
        )
    }

    /// Returns the result of the verification.
    func verdict(_ lastCode: [UInt8]) -> LogVerdict {
        var check = self
        if next <= last {
            check.missing(upTo: last)
        } else if faults.isEmpty, code != lastCode {
            check.fault("line \(last) is not the one that was written")
        }
        if check.faultCount > check.faults.count {
            check.faults.append("… and \(check.faultCount - check.faults.count) more")
        }
        return LogVerdict(soundCount: check.soundCount, faults: check.faults)
    }
}
