import CallerEvidence
import KeychainMessages

/// A line as it is stored: its number, its content, and the code that chains it.
struct StoredLine: Sendable, Equatable {
    var number: UInt64
    var line: LogLine
    /// 16 bytes.
    var code: [UInt8]

    /// Returns the text up to the code, with the tab before it; the code is computed over this
    /// text.
    static func text(of line: LogLine, number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        append(line, number: number, to: &bytes)
        return bytes
    }

    /// Appends that text.
    static func append(_ line: LogLine, number: UInt64, to bytes: inout [UInt8]) {
        LogText.append(number, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogTime.append(line.time, to: &bytes)
        LogText.appendTab(to: &bytes)
        bytes.append(contentsOf: line.level.word.utf8)
        LogText.appendTab(to: &bytes)
        LogText.append(field: line.program, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(field: line.verb, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(field: line.itemClass, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(field: line.group, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(digest: line.itemDigest, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(line.status, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(field: line.rule, to: &bytes)
        LogText.appendTab(to: &bytes)
    }

    /// The whole text, with the line feed.
    var text: [UInt8] {
        Self.text(of: line, number: number) + LogText.ending(with: code)
    }
}

extension StoredLine {
    /// Reads a line without its line feed; nil for any text that is not in this form.
    init?(parsing bytes: ArraySlice<UInt8>) {
        guard bytes.count < LogText.lineByteCountLimit else { return nil }
        let fields = bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count == 11, let number = LogText.number(fields[0], as: UInt64.self),
            let time = LogTime.seconds(fields[1]),
            let level = EvidenceLevel(word: String(decoding: fields[2], as: UTF8.self)),
            let program = LogText.field(fields[3]), let verb = LogText.field(fields[4]),
            let itemClass = LogText.field(fields[5]), let group = LogText.field(fields[6]),
            let digest = LogText.digest(fields[7]),
            let status = LogText.number(fields[8], as: Int32.self),
            let rule = LogText.field(fields[9]), let code = LogText.code(fields[10])
        else { return nil }
        self.number = number
        self.line = LogLine(
            time: time,
            program: program,
            level: level,
            verb: verb,
            itemClass: itemClass,
            group: group,
            itemDigest: digest,
            status: status,
            rule: rule
        )
        self.code = code
        // There is one form of a line: its text must be the same when it is written again.
        guard text.dropLast().elementsEqual(bytes) else { return nil }
    }
}

/// The first line of every file, with the number of the next line and the code of the last one in
/// the previous file.
struct LogHeader: Sendable, Equatable {
    var first: UInt64
    var previous: [UInt8]
    var code: [UInt8]

    private static let words = Array("keychain-log\t1\t".utf8)

    static func text(first: UInt64, previous: [UInt8]) -> [UInt8] {
        var bytes = words
        LogText.append(first, to: &bytes)
        LogText.appendTab(to: &bytes)
        LogText.append(hex: previous, to: &bytes)
        LogText.appendTab(to: &bytes)
        return bytes
    }

    var text: [UInt8] {
        Self.text(first: first, previous: previous) + LogText.ending(with: code)
    }
}

extension LogHeader {
    /// Reads a header without its line feed; nil for any other text.
    init?(parsing bytes: ArraySlice<UInt8>) {
        let fields = bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count == 5, bytes.starts(with: Self.words),
            let first = LogText.number(fields[2], as: UInt64.self),
            let previous = LogText.code(fields[3]), let code = LogText.code(fields[4])
        else { return nil }
        self.init(first: first, previous: previous, code: code)
    }
}

/// The file `head`, which names the last line that is known to be durable.
struct LogHead: Sendable, Equatable {
    /// The number of the oldest line that is kept.
    var first: UInt64
    /// The number of the last line that is durable.
    var last: UInt64
    /// The code of that line.
    var lastCode: [UInt8]
    var code: [UInt8]

    /// The size of every head, so that a new one replaces exactly the bytes of the old one.
    static let byteCount = words.count + 2 * 21 + 2 * 33

    private static let words = Array("keychain-log-head\t1\t".utf8)

    static func text(first: UInt64, last: UInt64, lastCode: [UInt8]) -> [UInt8] {
        var bytes = words
        for number in [first, last] {
            var digits: [UInt8] = []
            LogText.append(number, to: &digits)
            bytes += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 20 - digits.count))
            bytes += digits
            LogText.appendTab(to: &bytes)
        }
        LogText.append(hex: lastCode, to: &bytes)
        LogText.appendTab(to: &bytes)
        return bytes
    }

    var text: [UInt8] {
        Self.text(first: first, last: last, lastCode: lastCode) + LogText.ending(with: code)
    }
}

extension LogHead {
    /// Reads the file; nil for any other content.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.words),
            bytes.last == UInt8(ascii: "\n")
        else { return nil }
        let fields = bytes.dropLast().split(
            separator: UInt8(ascii: "\t"),
            omittingEmptySubsequences: false
        )
        guard fields.count == 6, fields[2].count == 20, fields[3].count == 20,
            let first = UInt64(String(decoding: fields[2], as: UTF8.self)),
            let last = UInt64(String(decoding: fields[3], as: UTF8.self)),
            let lastCode = LogText.code(fields[4]), let code = LogText.code(fields[5])
        else { return nil }
        self.init(first: first, last: last, lastCode: lastCode, code: code)
        guard text == bytes else { return nil }
    }
}
