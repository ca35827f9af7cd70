import Glibc
import KeychainModel

/// Standard error, a line at a time.
enum AgentLog {
    static func write(_ text: String) {
        write(raw: "keychain-agent: \(VisibleText.escaping(text))\n")
    }

    static func write(raw text: String) {
        let bytes = Array(text.utf8)
        // Nobody is left to tell when this fails.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
