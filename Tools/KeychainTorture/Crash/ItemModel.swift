import KeychainServices

/// The expected content of the keychain after a worker was killed.
///
/// It contains the acknowledged writes; the interrupted write has happened completely or not at
/// all.
struct ItemModel {
    /// The acknowledged value of each account.
    private(set) var values: [String: String] = [:]
    private(set) var acknowledged = 0

    /// Applies the lines of a worker.
    ///
    /// - Returns: The account of an unacknowledged write, and its possible new value.
    mutating func follow(_ lines: [WorkerLine], fail: (String) -> Void) -> (String, String?)? {
        var open: (String, String?)?
        for line in lines {
            switch line.stage {
            case .begin:
                open = outcome(of: line)
            case .end, .done:
                open = nil
                acknowledged += 1
                check(line, fail: fail)
                if line.status == errSecSuccess {
                    values[line.account] = line.operation == "delete" ? nil : line.value
                }
            }
        }
        return open
    }

    /// Takes over a value that was read from the keychain.
    mutating func settle(_ account: String, _ value: String?) { values[account] = value }

    private func outcome(of line: WorkerLine) -> (String, String?) {
        let isThere = values[line.account] != nil
        switch line.operation {
        case "add": return (line.account, values[line.account] ?? line.value)
        case "update": return (line.account, isThere ? line.value : nil)
        default: return (line.account, nil)
        }
    }

    /// Checks that the status fits the present state.
    private func check(_ line: WorkerLine, fail: (String) -> Void) {
        let isThere = values[line.account] != nil
        let expected =
            switch line.operation {
            case "add": isThere ? errSecDuplicateItem : errSecSuccess
            default: isThere ? errSecSuccess : errSecItemNotFound
            }
        guard line.status != expected else { return }
        let found = line.status.map(String.init) ?? "nothing"
        fail("\(line.operation) of \(line.account) returned \(found) instead of \(expected)")
    }
}
