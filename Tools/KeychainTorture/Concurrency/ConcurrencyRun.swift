import KeychainModel
import KeychainServices

/// Eight processes with eight threads each, which call all four functions with the same keys.
///
/// For each key, the checker looks for a sequential order of the calls that fits the recorded
/// times.
struct ConcurrencyRun {
    private static let processCount = 8
    private static let threadCount = 8
    /// The number of keys: few enough for collisions, and enough to keep the search small.
    private static let keyCount = 48

    private let seed: UInt64
    private let callCount: Int
    private let report: TortureReport

    init(_ options: TortureOptions, round: Int, _ report: TortureReport) {
        seed = options.seed &+ UInt64(round)
        callCount = options["calls"] ?? 40
        self.report = report
    }

    func run() {
        let home = TortureHome(nil)
        home.enter()
        let history = history()
        let byKey = Dictionary(grouping: history, by: \.key)
        for key in 0..<Self.keyCount {
            let calls = byKey[key, default: []] + [Self.finalRead(of: key)]
            report.add("keys")
            if let contradiction = Linearizability(calls).contradiction() {
                let around = calls.filter { $0.end + 50_000_000 > contradiction.start }
                    .filter { $0.start < contradiction.end + 50_000_000 }.sorted {
                        $0.start < $1.start
                    }
                report.found(
                    "no order explains \(contradiction.text) among\n    "
                        + around.map(\.text).joined(separator: "\n    "),
                    repeatWith: "--seed \(seed) --calls \(callCount)"
                )
                break
            }
        }
        if let complaint = home.complaint() {
            report.found(complaint, repeatWith: "--seed \(seed) --calls \(callCount)")
        }
        report.add("calls", history.count)
        report.add("rounds")
        home.leave(keepingKeychain: report.findings > 0)
    }

    private func history() -> [OperationRecord] {
        let workers = (0..<Self.processCount).compactMap { process in
            WorkerProcess([
                "concurrency", "\(process)", "\(Self.threadCount)", "\(callCount)",
                "\(Self.keyCount)", "\(seed)",
            ])
        }
        let records = workers.flatMap { $0.texts().compactMap(OperationRecord.init) }
        let expected = Self.processCount * Self.threadCount * callCount
        if records.count != expected {
            report.found(
                "\(records.count) calls came back instead of \(expected)",
                repeatWith: "--seed \(seed) --calls \(callCount)"
            )
        }
        return records
    }

    /// Reads the final state, as one more call after all others.
    private static func finalRead(of key: Int) -> OperationRecord {
        let start = ConcurrencyWorker.now()
        let found = TortureItem(account: "key-\(key)").read()
        return OperationRecord(
            .read,
            key: key,
            value: found.value ?? "-",
            status: found.status,
            start: start,
            end: ConcurrencyWorker.now()
        )
    }
}
