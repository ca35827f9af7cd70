import KeychainModel
import Secrets

/// Takes the findings of one call, wherever in the call they are made.
///
/// ```swift
/// let collector = FindingCollector()
/// let reply = try FindingCollector.$current.withValue(collector) { try engine.perform(…) }
/// let findings = collector.take()
/// ```
package final class FindingCollector: Sendable {
    /// The collector of the call that this thread carries out; nil where nobody collects.
    @TaskLocal package static var current: FindingCollector?

    /// A call that notices more is told the first.
    private static let limit = 1000

    private let findings = AdaptiveMutex<[Finding]>([])

    package init() {}

    /// Takes a finding.
    package func note(_ finding: Finding) {
        findings.withLock { if $0.count < Self.limit { $0.append(finding) } }
    }

    /// The findings so far, once.
    package func take() -> [Finding] {
        findings.withLock { findings in
            defer { findings = [] }
            return findings
        }
    }
}
