// Definitions  A history of calls on one key is linearizable if each call can be assigned a moment
//              between its start and its end at which it took effect, so that the calls in the
//              order of these moments explain every answer.
// Method       The search of Wing and Gong, breadth first. A configuration is the set of calls that
//              have taken effect, and the value of the key after them. A call may take effect next
//              if no other open call ended before it started. Two ways to the same configuration
//              count once. The set is stored as the first open call, in the order of the starts,
//              and the few later calls that are not open. So its size depends on the overlap, not
//              on the length of the history.

/// A check whether the calls on one key can have happened one after the other.
struct Linearizability {
    private struct Configuration: Hashable {
        /// All calls before this index have taken effect.
        var frontier: Int
        /// The later calls that have taken effect, in ascending order.
        var ahead: [Int]
        var held: String?
    }

    private let operations: [OperationRecord]

    /// - Parameter history: The calls on one key, in any order.
    init(_ history: [OperationRecord]) {
        operations = history.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// Returns the first call that no order explains; nil if one order explains all.
    func contradiction() -> OperationRecord? {
        var reached: Set<Configuration> = [Configuration(frontier: 0, ahead: [], held: nil)]
        for _ in operations.indices {
            var next = Set<Configuration>()
            for configuration in reached { extend(configuration, into: &next) }
            if next.isEmpty {
                let furthest = reached.map(\.frontier).max() ?? 0
                return operations[min(furthest, operations.count - 1)]
            }
            reached = next
        }
        return nil
    }

    /// Adds each configuration that one more call can produce.
    private func extend(_ from: Configuration, into next: inout Set<Configuration>) {
        var earliestEnd = UInt64.max
        var candidates: [Int] = []
        var index = from.frontier
        while index < operations.count, operations[index].start <= earliestEnd {
            if !from.ahead.contains(index) {
                candidates.append(index)
                earliestEnd = min(earliestEnd, operations[index].end)
            }
            index += 1
        }
        for candidate in candidates where operations[candidate].start <= earliestEnd {
            guard let held = operations[candidate].effect(on: from.held) else { continue }
            next.insert(advanced(from, past: candidate, holding: held))
        }
    }

    private func advanced(
        _ from: Configuration,
        past index: Int,
        holding held: String?
    ) -> Configuration {
        var to = from
        to.held = held
        to.ahead.append(index)
        to.ahead.sort()
        while to.ahead.first == to.frontier {
            to.ahead.removeFirst()
            to.frontier += 1
        }
        return to
    }
}
