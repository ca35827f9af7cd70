import Glibc
import KeychainModel

/// The diagnostic channel of a real process: one line per finding on standard error.
package enum DiagnosticOutput {
    /// Whether `KEYCHAIN_DIAGNOSTICS` requests it.
    package static let isEnabled = ProcessEnvironment.current["KEYCHAIN_DIAGNOSTICS"] == "1"

    package static func note(_ finding: Finding) {
        if isEnabled { write(line(for: finding)) }
    }

    /// Prints an important finding, for any value of `KEYCHAIN_DIAGNOSTICS`.
    static func print(_ finding: Finding) { write(line(for: finding)) }

    /// Prints the reason why the keychain could not be opened, and its directory.
    static func noteOpening(_ error: KeychainError, of directory: String?) {
        if isEnabled { write(line(forOpening: error, of: directory)) }
    }

    /// Prints a remark that has no rule.
    static func note(_ sentence: String) {
        if isEnabled { write(line("keychain: \(sentence)")) }
    }

    private static func write(_ line: [UInt8]) {
        // An error here is ignored, because there is no place to report it.
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Returns one line of UTF-8, with control characters escaped.
    static func line(for finding: Finding) -> [UInt8] {
        line(finding.description)
    }

    static func line(forOpening error: KeychainError, of directory: String?) -> [UInt8] {
        let place = directory.map { " in \($0)" } ?? ""
        return line("keychain: the keychain\(place) cannot be opened: \(error)")
    }

    private static func line(_ text: String) -> [UInt8] {
        Array((VisibleText.escaping(text) + "\n").utf8)
    }
}
