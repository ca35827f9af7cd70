import Glibc
import KeychainModel

/// A log on standard error, one line at a time.
enum AgentLog {
    static func write(_ text: String) {
        write(raw: "keychain-agent: \(VisibleText.escaping(text))\n")
    }

    static func write(raw text: String) {
        let bytes = Array(text.utf8)
        // A failure is ignored, because there is nobody left to tell.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
