import CallerEvidence
import Glibc
import KeychainMessages
import KeychainModel

/// `log`.
enum ShowLog {
    /// Writes the lines of the daemon's log, oldest first, or checks the log.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        if arguments.has(.verify) { return try verify(arguments, context) }
        let filter = LogFilter(arguments)
        var position: LogPosition?
        repeat {
            let (lines, next) = try page(after: position, context)
            for line in lines where filter.shows(line) { try show(line, arguments, context) }
            let isNew = next != position
            position = next
            if isNew, !lines.isEmpty { continue }
            guard arguments.has(.follow) else { return }
            sleep(1)
        } while true
    }

    private static func page(
        after position: LogPosition?,
        _ context: CommandContext
    ) throws(CommandFailure) -> ([LogLine], LogPosition) {
        guard case .log(let lines, let next) = try context.ask(.log(after: position)) else {
            throw .unexpectedReply
        }
        return (lines, next)
    }

    /// Verifies the log from its beginning.
    ///
    /// - Throws: `CommandFailure.unmet` if the log has a fault.
    private static func verify(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard !arguments.has(.follow), !arguments.has(.denied), arguments[.program] == nil else {
            throw .usage("option --verify checks all of the log: give --json or no other option")
        }
        guard case .logVerdict(let verdict) = try context.ask(.verifyLog) else {
            throw .unexpectedReply
        }
        if arguments.has(.json) {
            try context.print(verdict.json.page)
        } else {
            for fault in verdict.faults { try context.print(line: fault) }
            let count = verdict.soundCount == 1 ? "1 line is" : "\(verdict.soundCount) lines are"
            try context.print(line: "\(count) as the daemon wrote \(verdict.wordForLines)")
        }
        guard verdict.faults.isEmpty else {
            throw .unmet("the log is not as the daemon wrote it")
        }
    }

    private static func show(
        _ line: LogLine,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.has(.json) else { return try context.print(line: line.words) }
        var page = Page()
        page.append(raw: line.json)
        try context.print(page)
    }
}

/// The lines that the options select.
private struct LogFilter {
    private let program: String?
    private let deniedOnly: Bool

    init(_ arguments: Arguments) {
        program = arguments[.program]
        deniedOnly = arguments.has(.denied)
    }

    /// Whether the line is shown.
    ///
    /// A program's name without slashes selects any path that ends with it.
    func shows(_ line: LogLine) -> Bool {
        if deniedOnly, line.outcome != .denied { return false }
        guard let program else { return true }
        if line.program == program { return true }
        return !program.contains("/") && line.program.hasSuffix("/" + program)
    }
}

extension LogVerdict {
    fileprivate var wordForLines: String { soundCount == 1 ? "it" : "them" }

    fileprivate var json: JSONValue {
        .object([
            "soundLines": .number(Int64(clamping: soundCount)),
            "faults": .list(faults.map(JSONValue.text)),
        ])
    }
}

extension LogLine {
    /// The line as text: `2026-… denied  /opt/x (observed)  find  genp  group mail  -34018`.
    var words: String {
        let moment = Timestamp(secondsSinceReference: Double(time) - 978_307_200)?.extended ?? "?"
        let shown = QuotedText.of
        var parts = ["\(moment) \(outcome.rawValue)", "\(shown(program)) (\(level.word))"]
        parts.append(shown(verb))
        if !itemClass.isEmpty { parts.append(shown(itemClass)) }
        if !group.isEmpty { parts.append("group \(shown(group))") }
        parts.append(String(status))
        // Events of the daemon itself have a sentence in place of a rule's name.
        if rule.contains(" ") { parts.append(shown(rule)) }
        return parts.joined(separator: "  ")
    }

    /// The line as one JSON object, without line ends.
    var json: String {
        let moment = Timestamp(secondsSinceReference: Double(time) - 978_307_200)?.extended
        let digits = itemDigest.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }
        let fields: [(String, String)] = [
            ("time", quoted(moment ?? "")), ("outcome", quoted(outcome.rawValue)),
            ("program", quoted(program)), ("level", quoted(level.word)), ("verb", quoted(verb)),
            ("class", quoted(itemClass)), ("group", quoted(group)),
            ("item", quoted(digits.joined())), ("status", String(status)), ("rule", quoted(rule)),
        ]
        return "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}\n"
    }

    private func quoted(_ text: String) -> String { ByteRule.json.text(of: Array(text.utf8)) }
}
