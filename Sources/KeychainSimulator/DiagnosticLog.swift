import KeychainMessages
import KeychainModel
import Synchronization

/// The findings of one device, oldest first.
final class DiagnosticLog: Sendable {
    /// Takes the findings of the call that this task makes for another process.
    @TaskLocal static var collector: (@Sendable (Finding) -> Void)?

    private let findings = Mutex<[Finding]>([])

    func note(_ finding: Finding) {
        // Findings of a call that was carried come back with its reply.
        if let collector = FindingCollector.current { return collector.note(finding) }
        findings.withLock { $0.append(finding) }
        Self.collector?(finding)
    }

    var all: [Finding] { findings.withLock { $0 } }

    func removeAll() { findings.withLock { $0 = [] } }
}
