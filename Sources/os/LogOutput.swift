import Foundation
import Glibc

/// The output of messages: standard error, one line for each.
///
/// ```
/// [com.example.app:migration] error: 2 keys are left
/// ```
enum LogOutput {
    /// Receives the lines instead of standard error, in tests.
    struct Capture: Sendable {
        let take: @Sendable (String) -> Void
    }

    /// The capture of this task.
    ///
    /// A task-local closure without a struct crashes release builds.
    @TaskLocal static var capture: Capture?

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
        let line = "\(place)\(type.word): \(visible(message))"
        guard let capture else {
            // A full disk stops no program: the message is lost, as Apple's log loses messages.
            try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
            return
        }
        capture.take(line)
    }

    /// Returns the message as one line without control characters, so that no value forges another
    /// line or controls the terminal.
    private static func visible(_ message: String) -> String {
        message.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
