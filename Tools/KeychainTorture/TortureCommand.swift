import Glibc
import KeychainModel

/// `keychain-torture KIND [--rounds N] [--seconds N] [--seed N] …`: one kind of torture.
///
/// It reports on standard output, and exits with 0 if there were no findings.
///
/// Rounds and seeds determine the same work on every machine; seconds limit the time of long runs.
struct TortureCommand {
    let arguments: [String]

    /// - Returns: 0 if there were no findings, 1 if there were some, 2 for invalid arguments.
    func run() -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "worker":
            if rest.first == "daemon" {
                guard let status = DaemonClient.work(Array(rest.dropFirst())) else {
                    return usage()
                }
                return status
            }
            if rest.first == "vault" {
                VaultKills.work()
                return 0
            }
            if rest.first == "files" {
                return FileKills.work(Array(rest.dropFirst())) ? 0 : usage()
            }
            if rest.first == "concurrency",
                let worker = ConcurrencyWorker(arguments: Array(rest.dropFirst()))
            {
                worker.run()
            } else if let worker = Worker(arguments: rest) {
                worker.run()
            } else {
                return usage()
            }
            return 0
        case let name?:
            guard let kind = TortureKind.all.first(where: { $0.name == name }),
                let options = TortureOptions(rest)
            else { return usage() }
            return run(kind, options)
        case nil: return usage()
        }
    }

    private func run(_ kind: TortureKind, _ options: TortureOptions) -> Int32 {
        let report = TortureReport(
            kind.name,
            seconds: options["seconds"],
            rounds: options["rounds"]
        )
        report.say("\(kind.name): seed \(options.seed)")
        do throws(KeychainError) {
            try kind.run(options, report)
        } catch {
            report.found("it could not go on: \(error)", repeatWith: "--seed \(options.seed)")
        }
        return report.finish() ? 0 : 1
    }

    private func usage() -> Int32 {
        let kinds = TortureKind.all.map { "  \($0.name) \($0.usage)" }.joined(separator: "\n")
        OutputLine.write("usage: keychain-torture KIND [OPTION]…\n\(kinds)", to: STDERR_FILENO)
        return 2
    }
}

/// A subcommand.
struct TortureKind: Sendable {
    let name: String
    let usage: String
    let run: @Sendable (TortureOptions, TortureReport) throws(KeychainError) -> Void

    /// ★ Table: all kinds.
    static let all: [TortureKind] = [
        TortureKind(
            name: "crash",
            usage: "[--items N] [--rounds N] [--kills N] [--seconds N] [--seed N] [--home DIR]"
        ) { options, report throws(KeychainError) in
            CrashRun(options, report).run()
        },
        TortureKind(
            name: "faults",
            usage: "[--every N] [--rounds N] [--seconds N] [--seed N] [--verb NAME]"
        ) {
            options,
            report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                let seed = options.seed &+ UInt64(round)
                let every = max(1, options["every"] ?? 1)
                try FaultSweep(seed: seed, every: every, report).run(only: options.text("verb"))
            }
        },
        TortureKind(
            name: "power-loss",
            usage: "[--every N] [--rounds N] [--seconds N] [--seed N] [--without-syncs 1]"
        ) {
            options,
            report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                var life = try PowerLoss(
                    seed: options.seed &+ UInt64(round),
                    every: max(1, options["every"] ?? 1),
                    heedsSyncs: options["without-syncs"] == nil,
                    report
                )
                try life.run()
            }
        },
        TortureKind(name: "journal", usage: "[--rounds N] [--seconds N] [--seed N]") {
            options,
            report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                var loss = try JournalLoss(seed: options.seed &+ UInt64(round), report)
                try loss.run()
            }
        },
        TortureKind(name: "concurrency", usage: "[--calls N] [--rounds N] [--seconds N] [--seed N]")
        {
            options,
            report throws(KeychainError) in
            report.rounds { round in
                ConcurrencyRun(options, round: round, report).run()
                report.progress("\(round + 1) rounds")
            }
        },
        TortureKind(
            name: "daemon",
            usage:
                "[--kills N] [--storms N] [--prompts N] [--rounds N] [--seconds N] [--seed N]"
                + " [--mode system|user]"
        ) { options, report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                try DaemonRun(options, round: round, report).run()
                report.progress("\(round + 1) rounds")
            }
        },
        TortureKind(
            name: "doors",
            usage: "[--kills N] [--rounds N] [--seconds N] [--seed N] [--mode daemon|embedded]"
        ) { options, report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                try DoorsRun(options, round: round, report).run()
                report.progress("\(round + 1) rounds")
            }
        },
        TortureKind(
            name: "files",
            usage: "[--part power|faults|damage|kills] [--every N] [--damages N] [--kills N]"
                + " [--rounds N] [--seconds N] [--seed N] [--without-syncs 1]"
        ) { options, report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                try FilesRun(options, round: round, report).run()
                report.progress("\(round + 1) rounds")
            }
        },
        TortureKind(name: "race", usage: "") { _, _ throws(KeychainError) in
            DeliberateRace.run()
        },
        TortureKind(name: "scale", usage: "[--items N]") { options, report throws(KeychainError) in
            try ScaleRun(itemCount: options["items"] ?? 1_000_000, report: report).run()
        },
        TortureKind(
            name: "vault",
            usage: "[--kills N] [--rounds N] [--seconds N] [--seed N]"
        ) { options, report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                let seed = options.seed &+ UInt64(round)
                try VaultKills(seed: seed, kills: options["kills"] ?? 20, report).run()
                report.progress("\(round + 1) rounds")
            }
        },
        TortureKind(name: "walk", usage: "[--rounds N] [--seconds N] [--seed N]") {
            options,
            report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                try WalkRun(seed: options.seed &+ UInt64(round), report: report).run()
                report.progress("\(round + 1) walks")
            }
        },
        TortureKind(
            name: "damage",
            usage: "[--damages N] [--seconds N] [--seed N] [--part N --parts N]"
        ) {
            options,
            report throws(KeychainError) in
            try report.rounds { round throws(KeychainError) in
                var damage = try Damage(
                    seed: options.seed &+ UInt64(round),
                    part: (options["part"] ?? 0, max(1, options["parts"] ?? 1)),
                    limit: options["damages"],
                    report
                )
                try damage.run()
            }
        },
    ]
}

/// Pairs of `--name` and value.
struct TortureOptions: Sendable {
    private var values: [String: String] = [:]
    /// The seed, which determines all random choices of the run.
    let seed: UInt64

    init?(_ words: [String]) {
        var words = words[...]
        while let name = words.popFirst() {
            guard name.hasPrefix("--"), let value = words.popFirst() else { return nil }
            values[String(name.dropFirst(2))] = value
        }
        if let text = values["seed"] {
            guard let seed = UInt64(text) else { return nil }
            self.seed = seed
        } else {
            seed = UInt64.random(in: 1...1_000_000_000)
        }
    }

    func text(_ name: String) -> String? { values[name] }

    /// Returns the number; nil if the option is absent.
    subscript(name: String) -> Int? { values[name].flatMap(Int.init) }
}
