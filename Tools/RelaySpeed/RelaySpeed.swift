import EtcdRelay
import Glibc
import KeychainSockets
import KeychainSync
import PostgreSQLRelay
import SyncRelay
import Synchronization

// keychain-relay-speed KIND PLACE COUNT BYTES: the number of entries of this size that a relay
// takes and shows in a second, and the time until another connection is notified of one.
// Scripts/relays.sh runs it.

/// One run with one relay.
struct RelaySpeed {
    let relay: any Relay
    let reader: any Relay
    let count: Int
    let entry: [UInt8]
    private let stream = StreamName(unchecked: [UInt8](repeating: 1, count: StreamName.byteCount))

    init(_ words: [String]) throws {
        guard words.count == 5, let count = Int(words[3]), let byteCount = Int(words[4]) else {
            throw RelayError.refused("KIND, PLACE, COUNT and BYTES are needed")
        }
        let random = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let account = AccountName(unchecked: random)
        relay = try Self.relay(words[1], words[2], account)
        reader = try Self.relay(words[1], words[2], account)
        self.count = count
        entry = [UInt8](repeating: 0xA5, count: byteCount)
        try relay.prepare()
    }

    private static func relay(
        _ kind: String,
        _ place: String,
        _ account: AccountName
    ) throws -> any Relay {
        switch kind {
        case "postgresql": try PostgreSQLRelay(place, account)
        case "etcd": try EtcdRelay(EtcdPlace([place]), account)
        default: try DirectoryRelay(place, account)
        }
    }

    func run() throws {
        let clock = ContinuousClock()
        let single = try clock.measure {
            for number in 0..<count {
                try relay.append(entry, to: stream, at: UInt64(number))
            }
        }
        report("append", count, single)
        let batch = [[UInt8]](repeating: entry, count: count)
        let batched = try clock.measure {
            try relay.append(contentsOf: batch, to: stream, at: UInt64(count))
        }
        report("append-batch", count, batched)
        var readCount = 0
        let reading = try clock.measure {
            guard let range = try reader.streams()[stream] else { return }
            while readCount < range.count {
                let next = range.lowerBound + UInt64(readCount)
                let more = try reader.entries(of: stream, from: next, byteCountLimit: 4 << 20)
                guard !more.isEmpty else { break }
                readCount += more.count
            }
        }
        report("read", readCount, reading)
        try wake(clock)
    }

    /// Measures the median time from an append until another connection is notified.
    ///
    /// The connection probably waits already.
    private func wake(_ clock: ContinuousClock) throws {
        var times: [Duration] = []
        for number in 0..<20 {
            _ = try reader.streams()
            let (relay, stream, next) = (relay, stream, UInt64(2 * count + number))
            let start = Start(clock.now)
            let isStarted = DetachedThread.start {
                usleep(50_000)
                start.set(clock.now)
                try? relay.append([1], to: stream, at: next)
            }
            guard isStarted, try reader.waitForChange(upTo: .seconds(9)) else { break }
            times.append(clock.now - start.time)
        }
        times.sort()
        let milliseconds = (times[times.count / 2] / Duration.milliseconds(1) * 100).rounded() / 100
        print("wake-ms", milliseconds)
    }

    private func report(_ name: String, _ count: Int, _ time: Duration) {
        print(name, Int(Double(count) / (time / .seconds(1))))
    }
}

/// The time at which an append began.
private final class Start: Sendable {
    private let moment: Mutex<ContinuousClock.Instant>

    init(_ moment: ContinuousClock.Instant) { self.moment = Mutex(moment) }

    var time: ContinuousClock.Instant { moment.withLock { $0 } }

    func set(_ new: ContinuousClock.Instant) { moment.withLock { $0 = new } }
}

@main struct Program {
    static func main() {
        do {
            try RelaySpeed(CommandLine.arguments).run()
        } catch {
            let words = (error as? RelayError)?.words ?? "\(error)"
            let line = Array("keychain-relay-speed: \(words)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(1)
        }
    }
}
