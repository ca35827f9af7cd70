public import Foundation

/// The level of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// Apple's number of the level.
    public let rawValue: UInt8

    /// Creates a level from Apple's number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates a level from Apple's number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// A message that is always written.
    public static let `default` = OSLogType(0x00)
    /// A message that is written if `OS_ACTIVITY_MODE` is `info` or `debug`.
    public static let info = OSLogType(0x01)
    /// A message that is written if `OS_ACTIVITY_MODE` is `debug`.
    public static let debug = OSLogType(0x02)
    /// An error of this program; always written.
    public static let error = OSLogType(0x10)
    /// An error of several programs; always written.
    public static let fault = OSLogType(0x11)

    /// The level's name in a line of the log.
    var word: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }
}

/// A category of messages, for `os_log`.
///
/// ```swift
/// let migration = OSLog(subsystem: "com.example.app", category: "migration")
/// os_log(.error, log: migration, "%d keys are left", count)
/// ```
public final class OSLog: NSObject, Sendable {
    /// The name of the program or library.
    let subsystem: String
    /// The part of the subsystem.
    let category: String

    /// The category without a subsystem.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A category whose messages are never written.
    public static let disabled = OSLog(subsystem: "", category: "", isDisabled: true)

    private let isDisabled: Bool

    /// Creates a category.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isDisabled: false)
    }

    private init(subsystem: String, category: String, isDisabled: Bool) {
        self.subsystem = subsystem
        self.category = category
        self.isDisabled = isDisabled
    }

    /// Returns whether a message of this level would be written.
    public func isEnabled(type: OSLogType) -> Bool { !isDisabled && LogOutput.isWritten(type) }
}
