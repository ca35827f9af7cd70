/// A writer of log messages in one category.
///
/// Strings and objects are private unless you make them public, so that no secret reaches the log
/// by accident:
///
/// ```swift
/// let logger = Logger(subsystem: "com.example.app", category: "keychain")
/// logger.error("Adding \(account) failed: \(status)")
/// // [com.example.app:keychain] error: Adding <private> failed: -25299
/// ```
///
/// - Source: Apple's article "Generating log messages from your code".
public struct Logger: Sendable {
    private let category: OSLog

    /// Creates a logger of a category.
    public init(subsystem: String, category: String) {
        self.category = OSLog(subsystem: subsystem, category: category)
    }

    /// Creates a logger of an existing category.
    public init(_ logObj: OSLog) { category = logObj }

    /// Creates a logger without a subsystem.
    public init() { category = .default }

    /// Writes a message of a level.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        LogOutput.write(message.text, level, to: category)
    }

    /// Writes a message of the default level.
    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    /// Writes a message of the default level.
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    /// Writes a message of level `debug`.
    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Writes a message of level `debug`.
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Writes a message of level `info`.
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    /// Writes a message of level `error`.
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    /// Writes a message of level `error`.
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    /// Writes a message of level `fault`.
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    /// Writes a message of level `fault`.
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}
