import Cryptography
import Glibc
import KeychainServices

/// A process that writes, and reports each write.
///
/// If a kill matters, it writes a line before each call. In any case it writes a line with the
/// status after the call.
///
/// Lines are `begin|end|done OPERATION ACCOUNT VALUE [STATUS]`; each is written with one call.
enum Worker {
    /// Adds the same accounts as every other adder.
    case add(count: Int)
    /// Updates the same accounts as every other updater, each in its own order.
    case update(name: String, count: Int, rounds: Int)
    /// Adds, updates and deletes a few of its own accounts until it is killed.
    case mix(prefix: String, count: Int, seed: UInt64)

    init?(arguments: [String]) {
        switch (arguments.first, arguments.count) {
        case ("add", 2):
            guard let count = Int(arguments[1]) else { return nil }
            self = .add(count: count)
        case ("update", 4):
            guard let count = Int(arguments[2]), let rounds = Int(arguments[3]) else { return nil }
            self = .update(name: arguments[1], count: count, rounds: rounds)
        case ("mix", 4):
            guard let count = Int(arguments[2]), count > 0, let seed = UInt64(arguments[3]) else {
                return nil
            }
            self = .mix(prefix: arguments[1], count: count, seed: seed)
        default:
            return nil
        }
    }

    func run() {
        switch self {
        case .add(let count): Self.add(count)
        case .update(let name, let count, let rounds): Self.update(name, count, rounds)
        case .mix(let prefix, let count, let seed): Self.mix(prefix, count, seed)
        }
    }

    private static func add(_ count: Int) {
        for number in 0..<count {
            let account = "item-\(number)"
            let status = TortureItem(account: account).add("added")
            say("done add \(account) added \(status)")
        }
    }

    /// Updates all items; even and odd names go in opposite directions, so that they meet.
    private static func update(_ name: String, _ count: Int, _ rounds: Int) {
        let isForward = name.utf8.last.map { $0.isMultiple(of: 2) } ?? true
        for round in 0..<rounds {
            for step in 0..<count {
                let account = "item-\(isForward ? step : count - 1 - step)"
                let value = "\(name):\(round)"
                let status = TortureItem(account: account).update(value)
                say("done update \(account) \(value) \(status)")
            }
        }
    }

    private static func mix(_ prefix: String, _ count: Int, _ seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var number = 0
        while true {
            number += 1
            let account = "\(prefix)-\(random.next(below: count))"
            let item = TortureItem(account: account)
            let operation = ["add", "update", "update", "delete"][random.next(below: 4)]
            let value = "\(seed):\(number)"
            say("begin \(operation) \(account) \(value)")
            let status =
                switch operation {
                case "add": item.add(value)
                case "update": item.update(value)
                default: item.delete()
                }
            say("end \(operation) \(account) \(value) \(status)")
        }
    }

    private static func say(_ line: String) {
        // If the reader has ended, no process checks the lines.
        guard OutputLine.write(line, to: STDOUT_FILENO) else { exit(3) }
    }
}
