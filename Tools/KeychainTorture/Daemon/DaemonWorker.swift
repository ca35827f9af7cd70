import Cryptography
import Foundation
import Glibc
import KeychainServices
import Synchronization

/// A program of a given account that uses the keychain of a daemon, and reports the results.
///
/// Its lines are those of `Worker`. A line that begins with `late` is a call that took too long.
enum DaemonWorker {
    /// Adds, updates, deletes and reads its own items, until it is killed.
    case mix(prefix: String, count: Int, seed: UInt64)
    /// Reads each item of workers that have ended, once.
    case read(prefixes: [String], count: Int)

    /// The longest time for a call: the machine may be busy, and a daemon has 5 s for a greeting.
    private static let secondsLimit = 30.0

    init?(arguments: [String]) {
        guard arguments.count >= 3, let count = Int(arguments[1]), count > 0 else { return nil }
        switch arguments[0] {
        case "mix":
            guard arguments.count == 4, let seed = UInt64(arguments[3]) else { return nil }
            self = .mix(prefix: arguments[2], count: count, seed: seed)
        case "read": self = .read(prefixes: Array(arguments[2...]), count: count)
        default: return nil
        }
    }

    func run() {
        let watch = CallWatch(limit: Self.secondsLimit) { call in
            OutputLine.write("late \(call)", to: STDOUT_FILENO)
            exit(4)
        }
        switch self {
        case .mix(let prefix, let count, let seed): Self.mix(prefix, count, seed, watch)
        case .read(let prefixes, let count):
            for prefix in prefixes { Self.readAll(prefix, count, watch) }
        }
    }

    private static func mix(
        _ prefix: String,
        _ count: Int,
        _ seed: UInt64,
        _ watch: CallWatch
    ) {
        var random = SeededNumbers(seed: seed)
        var number = 0
        while true {
            number += 1
            let account = "\(prefix)-\(random.next(below: count))"
            let verb = ["add", "update", "update", "delete", "read", "read"][random.next(below: 6)]
            let status = call(verb, account, "\(seed):\(number)", watch)
            if status == errSecNotAvailable {
                // A pause, because calls to a daemon that is not there would only use the
                // processor.
                usleep(UInt32(1000 + random.next(below: 5000)))
                readAll(prefix, count, watch)
            }
        }
    }

    private static func readAll(_ prefix: String, _ count: Int, _ watch: CallWatch) {
        // keychain-lint:disable:next KC501 -- it warms up; the reads that count come later
        for number in 0..<count { _ = call("read", "\(prefix)-\(number)", "-", watch) }
    }

    private static func call(
        _ verb: String,
        _ account: String,
        _ value: String,
        _ watch: CallWatch
    ) -> OSStatus {
        let item = TortureItem(account: account)
        var found = value
        say("begin \(verb) \(account) \(value)")
        watch.begin(verb)
        let status: OSStatus
        switch verb {
        case "add": status = item.add(value)
        case "update": status = item.update(value)
        case "delete": status = item.delete()
        default:
            let read = item.read()
            status = read.status
            found = read.value ?? "-"
        }
        watch.end()
        say("end \(verb) \(account) \(found) \(status)")
        return status
    }

    private static func say(_ line: String) {
        // If the reader has ended, no process checks the lines.
        guard OutputLine.write(line, to: STDOUT_FILENO) else { exit(3) }
    }
}

/// A watch for calls that take too long; it watches one call at a time.
final class CallWatch: Sendable {
    private struct Call {
        var words = ""
        /// nil while there is no call.
        var start: ContinuousClock.Instant?
    }

    private let call = Mutex(Call())

    /// - Parameters:
    ///   - limit: The limit in seconds.
    ///   - late: Called on another thread, with the words of the last call.
    init(limit: Double, late: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread { [self] in
            while true {
                usleep(200_000)
                let known = call.withLock { $0 }
                if let start = known.start, ContinuousClock.now - start > .seconds(limit) {
                    late(known.words)
                }
            }
        }
    }

    func begin(_ words: String) {
        call.withLock { $0 = Call(words: words, start: .now) }
    }

    func end() { call.withLock { $0.start = nil } }
}

/// The account of a process of the torture.
enum TortureAccount {
    /// Changes to an account irreversibly, which only root can.
    ///
    /// - Returns: Whether the process has this account now.
    static func become(_ account: UInt32) -> Bool {
        if geteuid() == account { return true }
        // For root, these also change the saved account.
        return setgroups(0, nil) == 0 && setgid(account) == 0 && setuid(account) == 0
    }
}
