import KeychainModel

/// Flips every byte of a small keychain and cuts its files at every length, one at a time: each read
/// gives the right value or an error, and nothing is deleted.
struct Damage {
    private let seed: UInt64
    private let report: TortureReport
    private let scratch: Scratch
    private let keychain: DamagedKeychain
    private var random: TortureRandom

    /// What is done to a file.
    private enum Change: CustomStringConvertible {
        case flip(Int, UInt8)
        case cut(Int)

        func apply(to bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .flip(let place, let bits):
                var changed = bytes
                changed[place] ^= bits
                return changed
            case .cut(let count): return Array(bytes.prefix(count))
            }
        }

        var description: String {
            switch self {
            case .flip(let place, let bits): "byte \(place) changed by \(bits)"
            case .cut(let count): "cut to \(count) bytes"
            }
        }
    }

    init(seed: UInt64, _ report: TortureReport) throws(KeychainError) {
        self.seed = seed
        self.report = report
        scratch = try Scratch()
        keychain = try DamagedKeychain(in: scratch)
        random = TortureRandom(state: seed)
    }

    /// Every byte of every file, in random order, so that a short run sees some of everything.
    mutating func run() throws(KeychainError) {
        let targets = try keychain.targets()
        var work: [(target: Int, change: Change)] = []
        for (index, target) in targets.enumerated() {
            for place in 0..<target.byteCount {
                let bits = UInt8(random.next(below: 255)) + 1
                work.append((index, .flip(place, bits)))
                work.append((index, .cut(place)))
            }
        }
        work.shuffle(using: &random)
        report.add("possible-damages", work.count)
        var current = -1
        var good: [UInt8] = []
        // One file after the other within a slice, so that files are seldom put back.
        for start in stride(from: 0, to: work.count, by: 4096) {
            let slice = work[start..<min(start + 4096, work.count)].sorted { $0.target < $1.target }
            for (index, change) in slice {
                if index != current {
                    current = index
                    try keychain.reset(hasLog: targets[index].hasLog)
                    good = try keychain.bytes(of: targets[index].file)
                }
                try damage(targets[index], change, good)
                if report.findings > 0 || report.isOver { return }
            }
            report.progress("\(min(start + 4096, work.count)) of \(work.count) damages")
        }
        report.add("complete-rounds")
    }

    private func damage(
        _ target: DamagedKeychain.Target,
        _ change: Change,
        _ good: [UInt8]
    ) throws(KeychainError) {
        let bad = change.apply(to: good)
        try keychain.write(bad, to: target.file)
        let readings = keychain.read()
        count(change, readings)
        if let wrong = readings.wrong.first {
            return tell(target, change, "a wrong value of \(wrong)")
        }
        // Where the last process to close moved a log, or SQLite mended its own header, the files
        // differ; then what they hold must still be there once the damage is undone.
        if !target.hasLog, try keychain.bytes(of: target.file) == bad {
            return try keychain.write(good, to: target.file)
        }
        if !target.hasLog {
            var after = try keychain.bytes(of: target.file)
            if case .flip(let place, _) = change, after.count == good.count {
                after[place] = good[place]
                try keychain.write(after, to: target.file)
                if keychain.read().right != DamagedKeychain.values.count {
                    tell(target, change, "something was deleted")
                }
            } else if after.count < bad.count {
                tell(target, change, "the file was cut further")
            }
        }
        try keychain.reset(hasLog: target.hasLog)
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
        report.found(
            "\(target.file)\(log), \(change): \(what)",
            repeatWith: "--seed \(seed)"
        )
    }
}
