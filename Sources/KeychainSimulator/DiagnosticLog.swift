import KeychainMessages
import KeychainModel
import Synchronization

/// The findings of one device, oldest first.
final class DiagnosticLog: Sendable {
    /// Receives the findings of a call that this task makes for another process.
    struct Collector: Sendable {
        let take: @Sendable (Finding) -> Void
    }

    /// The collector of this task.
    ///
    /// A task-local closure without a struct crashes release builds.
    @TaskLocal static var collector: Collector?

    private let findings = Mutex<[Finding]>([])

    func note(_ finding: Finding) {
        // Findings of a carried call arrive with its reply.
        if let collector = FindingCollector.current { return collector.note(finding) }
        findings.withLock { $0.append(finding) }
        Self.collector?.take(finding)
    }

    var all: [Finding] { findings.withLock { $0 } }

    func removeAll() { findings.withLock { $0 = [] } }
}
