import KeychainModel
import Secrets

/// A collection of the findings of one call, from all parts of the call.
///
/// ```swift
/// let collector = FindingCollector()
/// let reply = try FindingCollector.$current.withValue(collector) { try engine.perform(…) }
/// let findings = collector.take()
/// ```
package final class FindingCollector: Sendable {
    /// The collector of the call on this thread; nil if there is none.
    @TaskLocal package static var current: FindingCollector?

    /// The most findings of one call; later ones are dropped.
    private static let limit = 1000

    private let findings = AdaptiveMutex<[Finding]>([])

    package init() {}

    /// Adds a finding.
    package func note(_ finding: Finding) {
        findings.withLock { if $0.count < Self.limit { $0.append(finding) } }
    }

    /// Returns the findings so far, and empties the list.
    package func take() -> [Finding] {
        findings.withLock { findings in
            defer { findings = [] }
            return findings
        }
    }
}
