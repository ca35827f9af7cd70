import Glibc
import KeychainModel

/// The diagnostic channel of a real process: one line per finding on standard error.
package enum DiagnosticOutput {
    /// Whether `KEYCHAIN_DIAGNOSTICS` asks for it.
    package static let isEnabled = ProcessEnvironment.current["KEYCHAIN_DIAGNOSTICS"] == "1"

    package static func note(_ finding: Finding) {
        if isEnabled { print(finding) }
    }

    /// Prints a finding that nobody may miss, whatever `KEYCHAIN_DIAGNOSTICS` is.
    static func print(_ finding: Finding) {
        let line = line(for: finding)
        // A line that cannot be written has nobody to tell.
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// One line of UTF-8; what would act on a terminal is spelled out.
    static func line(for finding: Finding) -> [UInt8] {
        Array((VisibleText.escaping(finding.description) + "\n").utf8)
    }
}
