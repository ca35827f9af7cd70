import CallerEvidence
import KeychainMessages

/// What a log says of itself, in lines of its own.
///
/// - Source: Documentation/Spec/log.md §5.
enum LogEvent: String {
    /// The first line of all.
    case begun = "log-begun"
    /// A crash left bytes behind the last whole line, and they were cut off.
    case unfinished = "log-unfinished"
    /// Lines could not be written.
    case lost = "log-lost"
    /// The log was not as it was left.
    case damaged = "log-damaged"
}

extension LogLine {
    /// A line about the log itself.
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

    /// What the system's journal hears: who, what and the outcome; neither group nor item.
    var journalText: String {
        var words = [outcome.rawValue, LogText.shown(program), "(\(level.word))"]
        words.append(LogText.shown(verb))
        if !itemClass.isEmpty { words.append(LogText.shown(itemClass)) }
        words.append(String(status))
        // What the daemon says of itself is a sentence in the place of the rule.
        if rule.contains(" ") { words.append(LogText.shown(rule)) }
        return words.joined(separator: " ")
    }
}
