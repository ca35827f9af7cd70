import CallerEvidence
import KeychainMessages

/// An event of the log itself, recorded in a line of its own.
///
/// - Source: Documentation/Spec/log.md §5.
enum LogEvent: String {
    /// The very first line.
    case begun = "log-begun"
    /// A crash left bytes after the last whole line, and they were cut off.
    case unfinished = "log-unfinished"
    /// Lines could not be written.
    case lost = "log-lost"
    /// The log was not in the state in which it was left.
    case damaged = "log-damaged"
}

extension LogLine {
    /// Returns a line about the log itself.
    static func ofDaemon(_ event: LogEvent, _ rule: String, _ time: Int64) -> LogLine {
        LogLine(
            time: time,
            program: "keychaind",
            level: .verified,
            verb: event.rawValue,
            status: 0,
            rule: rule
        )
    }

    /// The text for the system's journal: program, call and outcome, without group and item.
    var journalText: String {
        var words = [outcome.rawValue, LogText.shown(program), "(\(level.word))"]
        words.append(LogText.shown(verb))
        if !itemClass.isEmpty { words.append(LogText.shown(itemClass)) }
        words.append(String(status))
        // A line about the daemon has a sentence in the place of the rule.
        if rule.contains(" ") { words.append(LogText.shown(rule)) }
        return words.joined(separator: " ")
    }
}
