import Cryptography
import KeychainModel

/// Damage to every byte of a small keychain, and cuts of its files at every length, one at a time.
///
/// Each read returns the right value or an error, and nothing is deleted.
struct Damage {
    private typealias Change = DamagedFile.Change

    private let seed: UInt64
    /// The part of the damage that this process does, and the number of parts.
    private let part: (number: Int, count: Int)
    /// The greatest number of changes; nil for all.
    private let limit: Int?
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private let keychain: DamagedKeychain
    private var random: SeededNumbers

    init(
        seed: UInt64,
        part: (number: Int, count: Int),
        limit: Int? = nil,
        _ report: TortureReport
    ) throws(KeychainError) {
        self.seed = seed
        self.limit = limit
        self.part = part
        self.report = report
        scratch = try ScratchDirectory()
        keychain = try DamagedKeychain(in: scratch)
        random = SeededNumbers(seed: seed)
    }

    /// The number of rows that are reset or removed in a round.
    private static let rowRounds = 100

    /// Damages every byte of every file, in random order, so that a short run covers some of each.
    mutating func run() throws(KeychainError) {
        var rows = RowDamage(keychain, seed: seed, report)
        try rows.run(rounds: Self.rowRounds)
        if report.findings > 0 { return }
        let targets = try keychain.targets()
        let work = self.work(targets)
        report.add("possible-damages", work.count)
        let count = min(limit ?? work.count, work.count)
        // Within a slice, the files take turns, so that they are seldom restored.
        for start in stride(from: 0, to: count, by: 256) {
            let slice = work[start..<min(start + 256, count)]
            for (index, target) in targets.enumerated() {
                try damage(target, slice.filter { $0.target == index }.map(\.change))
                if report.findings > 0 || report.isOver { return }
            }
            report.progress("\(start) of \(work.count) damages")
        }
        if count == work.count { report.add("complete-rounds") }
    }

    private mutating func work(
        _ targets: [DamagedKeychain.Target]
    ) -> [(target: Int, change: Change)] {
        var work: [(target: Int, change: Change)] = []
        for (index, target) in targets.enumerated() {
            for place in 0..<target.byteCount {
                let bits = UInt8(random.next(below: 255)) + 1
                if place % part.count != part.number { continue }
                work.append((index, .flip(place, bits)))
                work.append((index, .cut(place)))
            }
        }
        work.shuffle(using: &random)
        return work
    }

    private func damage(
        _ target: DamagedKeychain.Target,
        _ changes: [Change]
    ) throws(KeychainError) {
        guard !changes.isEmpty else { return }
        try keychain.reset(hasLog: target.hasLog)
        let file = try DamagedFile(keychain.path(of: target.file))
        for change in changes {
            try damage(target, file, change)
            if report.findings > 0 || report.isOver { return }
        }
    }

    private func damage(
        _ target: DamagedKeychain.Target,
        _ file: DamagedFile,
        _ change: Change
    ) throws(KeychainError) {
        try file.apply(change)
        let readings = keychain.read()
        count(change, readings)
        if let wrong = readings.wrong.first {
            return tell(target, change, "a wrong value of \(wrong)")
        }
        // The last process that closes the database moves the log into it.
        if target.hasLog { return try keychain.reset(hasLog: true) }
        if try file.isUntouched(after: change) { return try file.undo(change) }
        // SQLite may repair its own header; the values must exist once the damage is undone.
        try file.undo(change)
        if keychain.read().right != DamagedKeychain.values.count {
            tell(target, change, "something was deleted")
        }
        try keychain.reset(hasLog: false)
    }

    private func count(_ change: Change, _ readings: DamagedKeychain.Readings) {
        if case .flip = change { report.add("flips") } else { report.add("truncations") }
        if readings.isRefused {
            report.add("refused")
        } else if readings.hidden > 0 {
            report.add("hidden")
        } else {
            report.add("harmless")
        }
    }

    private func tell(_ target: DamagedKeychain.Target, _ change: Change, _ what: String) {
        let log = target.hasLog ? ", with a log" : ""
        report.found("\(target.file)\(log), \(change): \(what)", repeatWith: "--seed \(seed)")
    }
}
