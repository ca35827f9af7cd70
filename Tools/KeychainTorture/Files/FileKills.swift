import Cryptography
import Glibc
import KeychainModel
import ProtectedFiles

/// Kills of processes that change a protected file, and checks of the remaining file.
struct FileKills {
    private let seed: UInt64
    private let kills: Int
    private let report: TortureReport
    private let scratch: ScratchDirectory

    init(seed: UInt64, kills: Int, _ report: TortureReport) throws(KeychainError) {
        self.seed = seed
        self.kills = kills
        self.report = report
        scratch = try ScratchDirectory()
    }

    func run() throws(KeychainError) {
        var random = SeededNumbers(seed: seed)
        for number in 0..<kills {
            let directory = scratch.directory("kill-\(number)")
            try scratch.fill(directory, with: [:])
            let lifeSeed = seed &+ UInt64(number)
            try kill(directory, lifeSeed, after: random.next(below: 300))
            if report.findings > 0 || report.isOver { return }
        }
    }

    /// Starts a worker, kills it after some bytes of its output, and compares.
    private func kill(
        _ directory: String,
        _ lifeSeed: UInt64,
        after byteCount: Int
    ) throws(KeychainError) {
        guard let worker = WorkerProcess(["files", directory, "\(lifeSeed)"]) else {
            throw KeychainError(.io, "no worker can be started")
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while worker.byteCount <= byteCount, ContinuousClock.now < deadline { usleep(200) }
        worker.kill()
        let steps = worker.texts().count - 1
        report.add("kills")
        report.add("acknowledged-steps", max(0, steps))
        guard steps >= 0 else { return }
        var model = FileModel(seed: lifeSeed)
        for _ in 0..<steps { _ = model.next() }
        let before = model.content
        let step = model.next()
        do throws(FileFailure) {
            let found = try FileRig.reopened(directory)
            if found == before || found == model.content { return }
            tell(lifeSeed, step, "\(found.count) bytes of neither content")
        } catch { tell(lifeSeed, step, "\(error)") }
    }

    private func tell(_ lifeSeed: UInt64, _ step: FileStep, _ complaint: String) {
        report.found(
            "killed during '\(step)', life \(lifeSeed): \(complaint)",
            repeatWith: "--seed \(seed) --part kills"
        )
    }

    /// Does the work of the process that is killed: a line for the file, and one for each durable
    /// step.
    static func work(_ arguments: [String]) -> Bool {
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else { return false }
        var model = FileModel(seed: seed)
        do throws(FileFailure) {
            var file = try FileRig.create(arguments[0])
            OutputLine.write("made", to: STDOUT_FILENO)
            while true {
                file = try FileRig.carryOut(model.next(), on: file, arguments[0])
                OutputLine.write("done", to: STDOUT_FILENO)
            }
        } catch {
            OutputLine.write("failed \(error)", to: STDERR_FILENO)
            return true
        }
    }
}

/// `files`: all four kinds of torture for a protected file, one after the other.
struct FilesRun {
    private let options: TortureOptions
    private let seed: UInt64
    private let report: TortureReport

    init(_ options: TortureOptions, round: Int, _ report: TortureReport) {
        self.options = options
        seed = options.seed &+ UInt64(round)
        self.report = report
    }

    func run() throws(KeychainError) {
        let part = options.text("part")
        let every = max(1, options["every"] ?? 1)
        if part == nil || part == "power" {
            let heedsSyncs = options["without-syncs"] == nil
            var loss = try FilePowerLoss(seed: seed, every: every, heedsSyncs: heedsSyncs, report)
            try loss.run()
        }
        if part == nil || part == "faults" {
            try FileFaults(seed: seed, every: every, report).run()
        }
        if part == nil || part == "damage" {
            var damage = try FileDamageRun(seed: seed, limit: options["damages"] ?? 300, report)
            try damage.run()
        }
        if part == nil || part == "kills" {
            try FileKills(seed: seed, kills: options["kills"] ?? 20, report).run()
        }
    }
}
