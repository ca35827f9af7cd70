import KeychainServices

// Definitions  "unanswered": a call without an answer, or with the answer that there is no daemon.
//              It may have taken effect, or may take effect while its program runs.
// Law          One of the possible values must explain every answer; after it, only those that
//              explain it remain possible.

/// The possible values of one worker's items, according to the answers to its calls.
struct PossibleValues {
    /// The values by item; nil among them means that the item may be absent.
    ///
    /// An item that is not listed is absent.
    private(set) var items: [String: Set<String?>] = [:]
    /// The number of answered calls that changed something.
    private(set) var acknowledged = 0
    /// The number of calls whose outcome the worker does not know.
    private(set) var unanswered = 0

    /// Returns the values that an item may have.
    subscript(item: String) -> Set<String?> { items[item] ?? [nil] }

    /// Applies the lines of a worker, in their order.
    ///
    /// - Returns: The answers that no order of the calls explains; empty if there are none.
    mutating func follow(_ lines: [WorkerLine]) -> [String] {
        var complaints: [String] = []
        var open: WorkerLine?
        for line in lines {
            switch line.stage {
            case .begin: open = line
            case .end, .done:
                open = nil
                if let complaint = take(line) { complaints.append(complaint) }
            }
        }
        // The worker was killed in this call.
        if let open { leaveOpen(open) }
        return complaints
    }

    private mutating func take(_ line: WorkerLine) -> String? {
        let before = self[line.account]
        guard let status = line.status else { return "a line without a status" }
        if status == errSecNotAvailable {
            leaveOpen(line)
            return nil
        }
        let after = Self.explained(line, status, before)
        guard !after.isEmpty else {
            let values = before.map { $0 ?? "nothing" }.sorted().joined(separator: " or ")
            return "\(line.operation) of \(line.account) returned \(status)"
                + (line.operation == "read" ? " with \(line.value)" : "")
                + ", which has \(values)"
        }
        if status == errSecSuccess, line.operation != "read" { acknowledged += 1 }
        items[line.account] = after
        return nil
    }

    /// Returns the values after an answered call; empty if no earlier value explains the answer.
    private static func explained(
        _ line: WorkerLine,
        _ status: OSStatus,
        _ before: Set<String?>
    ) -> Set<String?> {
        let present = before.filter { $0 != nil }
        let canBeAbsent = before.contains(nil)
        switch (line.operation, status) {
        case ("add", errSecSuccess): return canBeAbsent ? [line.value] : []
        case ("put", errSecSuccess): return [line.value]
        case ("clear", errSecSuccess): return [nil]
        case ("add", errSecDuplicateItem): return present
        case ("update", errSecSuccess): return present.isEmpty ? [] : [line.value]
        case ("delete", errSecSuccess): return present.isEmpty ? [] : [nil]
        case ("read", errSecSuccess): return present.contains(line.value) ? [line.value] : []
        case ("update", errSecItemNotFound), ("delete", errSecItemNotFound),
            ("read", errSecItemNotFound):
            return canBeAbsent ? [nil] : []
        default: return []
        }
    }

    private mutating func leaveOpen(_ line: WorkerLine) {
        var values = self[line.account]
        switch line.operation {
        case "add": if values.contains(nil) { values.insert(line.value) }
        case "update": if values.contains(where: { $0 != nil }) { values.insert(line.value) }
        case "put": values.insert(line.value)
        case "delete", "clear": values.insert(nil)
        default: return
        }
        unanswered += 1
        items[line.account] = values
    }
}
