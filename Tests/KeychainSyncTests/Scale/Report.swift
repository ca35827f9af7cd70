import Synchronization

/// The parts of a report, in the order in which they came.
final class Report: Sendable {
    private let parts = Mutex<[String]>([])

    var text: String { parts.withLock { $0.joined(separator: "\n") } }

    func add(_ part: String) { parts.withLock { $0.append(part) } }
}
