import Foundation
import Glibc

/// The place where messages go: standard error, one line each.
///
/// ```
/// [com.example.app:migration] error: 2 keys are left
/// ```
enum LogOutput {
    /// Takes the lines instead of standard error, in tests.
    @TaskLocal static var capture: (@Sendable (String) -> Void)?

    /// Apple's variable: `info` and `debug` add messages of these levels.
    private static let mode = ProcessInfo.processInfo.environment["OS_ACTIVITY_MODE"]

    static func isWritten(_ type: OSLogType) -> Bool {
        switch type {
        case .debug: mode == "debug"
        case .info: mode == "debug" || mode == "info"
        default: mode != "disable"
        }
    }

    /// Writes a message whose private parts are redacted already.
    static func write(_ message: String, _ type: OSLogType, to log: OSLog) {
        guard log.isEnabled(type: type) else { return }
        let place = log.subsystem.isEmpty ? "" : "[\(log.subsystem):\(log.category)] "
        // A message is one line, so a value cannot forge another one.
        let text = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .joined(separator: "\\n")
        let line = "\(place)\(type.word): \(text)"
        guard let capture else {
            FileHandle.standardError.write(Data((line + "\n").utf8))
            return
        }
        capture(line)
    }
}
