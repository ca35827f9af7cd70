import Cryptography
import Foundation
import KeychainMigration
import KeychainModel

/// Power cuts after each moment at which a migration's journal reports a durable entry.
///
/// From then on, the old plain text may be deleted, so the entry has to exist.
struct JournalLoss {
    private static let subsetCount = 5

    private let seed: UInt64
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private var random: SeededNumbers

    init(seed: UInt64, _ report: TortureReport) throws(KeychainError) {
        self.seed = seed
        self.report = report
        scratch = try ScratchDirectory()
        random = SeededNumbers(seed: seed)
    }

    /// Records every stage of three values, and checks each moment at which a call has returned.
    mutating func run() throws(KeychainError) {
        let entries = Self.entries
        let returns = try record(entries)
        var disk = DiskModel()
        for (index, change) in DiskRecorder.changes.enumerated() {
            disk.apply(change)
            for number in entries.indices where returns[number] == index + 1 {
                try cut(disk, Array(entries[...number]))
                report.add("returns")
                if report.findings > 0 { return }
            }
        }
        report.add("complete-journals")
    }

    private static let entries: [JournalEntry] = (0..<3).flatMap { number in
        [.writing, .verified, .done].map { (stage: JournalEntry.Stage) in
            JournalEntry(
                id: "value \(number)",
                stage: stage,
                target: .genericPassword(service: "torture", account: "account \(number)"),
                date: Date(timeIntervalSince1970: 1_800_000_000)
            )
        }
    }

    /// - Returns: The number of disk changes after which each entry was durable, according to the
    ///   call.
    private func record(_ entries: [JournalEntry]) throws(KeychainError) -> [Int] {
        let directory = scratch.directory("migration")
        try scratch.fill(directory, with: [:])
        DiskRecorder.start(directory)
        defer { DiskRecorder.stop() }
        var returns: [Int] = []
        for entry in entries {
            do throws(JournalFailure) { try Self.journal(in: directory).record(entry) } catch {
                throw KeychainError(.io, "\(error)")
            }
            returns.append(DiskRecorder.count)
        }
        return returns
    }

    private static func journal(in directory: String) -> FileJournal {
        FileJournal(file: URL(filePath: directory + "/journal"))
    }

    private mutating func cut(
        _ disk: DiskModel,
        _ acknowledged: [JournalEntry]
    ) throws(KeychainError) {
        var expected: [String: JournalEntry] = [:]
        for entry in acknowledged { expected[entry.id] = entry }
        let outcomes: [DiskModel.Outcome] =
            [.everything, .nothing] + Array(repeating: .some, count: Self.subsetCount)
        for outcome in outcomes {
            let directory = scratch.directory("cut")
            try scratch.fill(directory, with: disk.state(outcome, &random))
            report.add("states")
            let found = try? Self.journal(in: directory).entries()
            if found == expected { continue }
            report.found(
                "power cut after entry \(acknowledged.count) (\(outcome) of what was pending): "
                    + "\(found?.count ?? 0) values in the journal",
                repeatWith: "--seed \(seed)"
            )
        }
    }
}
