import Cryptography
import Dispatch
import Glibc
import KeychainServices
import Synchronization

/// One process of a concurrency run, whose threads make random calls and record them.
struct ConcurrencyWorker: Sendable {
    let process: Int
    let threadCount: Int
    let callCount: Int
    let keyCount: Int
    let seed: UInt64

    init?(arguments: [String]) {
        let numbers = arguments.compactMap { UInt64($0) }
        guard numbers.count == 5, arguments.count == 5 else { return nil }
        process = Int(numbers[0])
        threadCount = Int(numbers[1])
        callCount = Int(numbers[2])
        keyCount = Int(numbers[3])
        seed = numbers[4]
    }

    func run() {
        let all = Mutex<[OperationRecord]>([])
        let group = DispatchGroup()
        for thread in 0..<threadCount {
            Thread.detachNewThread(in: group) {
                let records = work(thread)
                all.withLock { $0 += records }
            }
        }
        group.wait()
        for record in all.withLock({ $0 }) {
            OutputLine.write(record.text, to: STDOUT_FILENO)
        }
    }

    private func work(_ thread: Int) -> [OperationRecord] {
        let name = process * threadCount + thread
        var random = SeededNumbers(seed: seed &* 1_000_003 &+ UInt64(name))
        return (0..<callCount).map { number in
            let verbs: [OperationRecord.Kind] = [.add, .add, .update, .update, .read, .delete]
            let verb = verbs[random.next(below: verbs.count)]
            return call(verb, key: random.next(below: keyCount), value: "\(name).\(number)")
        }
    }

    private func call(_ verb: OperationRecord.Kind, key: Int, value: String) -> OperationRecord {
        let item = TortureItem(account: "key-\(key)")
        let start = Self.now()
        var value = value
        let status: OSStatus
        switch verb {
        case .add: status = item.add(value)
        case .update: status = item.update(value)
        case .delete:
            status = item.delete()
            value = "-"
        case .read:
            let found = item.read()
            status = found.status
            value = found.value ?? "-"
        }
        return OperationRecord(
            verb,
            key: key,
            value: value,
            status: status,
            start: start,
            end: Self.now()
        )
    }

    /// Returns the nanoseconds since a moment that is the same for all processes of this machine.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension Thread {
    /// Starts a thread for which a group waits.
    static func detachNewThread(
        in group: DispatchGroup,
        _ body: @escaping @Sendable () -> Void
    ) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}
