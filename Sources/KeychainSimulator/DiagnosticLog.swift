import KeychainModel
import Synchronization

/// The findings of one device, oldest first.
final class DiagnosticLog: Sendable {
    private let findings = Mutex<[Finding]>([])

    func note(_ finding: Finding) { findings.withLock { $0.append(finding) } }

    var all: [Finding] { findings.withLock { $0 } }

    func removeAll() { findings.withLock { $0 = [] } }
}
