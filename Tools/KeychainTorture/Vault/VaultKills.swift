import Cryptography
import Glibc
import KeychainModel
import Vault

/// Kills of processes in their transactions, and a search for one that is neither complete nor
/// undone.
///
/// A transaction writes the same number to two items. A third item exists only for odd numbers.
struct VaultKills {
    private let seed: UInt64
    private let kills: Int
    private let report: TortureReport

    init(seed: UInt64, kills: Int, _ report: TortureReport) {
        self.seed = seed
        self.kills = kills
        self.report = report
    }

    func run() throws(KeychainError) {
        let home = TortureHome(nil)
        home.enter()
        defer { home.leave(keepingKeychain: report.findings > 0) }
        var random = SeededNumbers(seed: seed)
        for number in 0..<kills {
            guard let worker = WorkerProcess(["vault"]) else {
                throw KeychainError(.io, "no worker can be started")
            }
            let deadline = ContinuousClock.now + .seconds(20)
            let byteCount = random.next(below: 120)
            while worker.byteCount <= byteCount, ContinuousClock.now < deadline { usleep(200) }
            // The kill comes at any moment of the next transaction.
            usleep(UInt32(random.next(below: 4000)))
            worker.kill()
            report.add("kills")
            check(after: worker.texts(), number)
            if report.findings > 0 || report.isOver { return }
        }
    }

    /// Recovers, and compares the three items with the worker's report.
    private func check(after lines: [Substring], _ kill: Int) {
        do throws(VaultError) {
            report.add("recovered", try Vault().recover())
            let state = try VaultState()
            let done = lines.compactMap { $0.hasPrefix("done ") ? Int($0.dropFirst(5)) : nil }
            report.add("transactions", done.count)
            guard let complaint = state.complaint(acknowledged: done.last) else { return }
            report.found("kill \(kill): \(complaint)", repeatWith: "--seed \(seed)")
        } catch {
            report.found("kill \(kill): \(error)", repeatWith: "--seed \(seed)")
        }
    }

    /// Does the work of the process that is killed: a line for each completed transaction.
    static func work() {
        do throws(VaultError) {
            try Vault().recover()
            var number = try VaultState().first ?? 0
            while true {
                number += 1
                try VaultState.write(number)
                OutputLine.write("done \(number)", to: STDOUT_FILENO)
            }
        } catch { OutputLine.write("failed \(error)", to: STDERR_FILENO) }
    }
}

/// The content of the three items.
private struct VaultState {
    let first: Int?
    let second: Int?
    let third: Int?

    private static let items = ["first", "second", "third"].map {
        Password(service: "torture", account: $0)
    }

    init() throws(VaultError) {
        let vault = Vault()
        first = try vault.read(Self.items[0])
        second = try vault.read(Self.items[1])
        third = try vault.read(Self.items[2])
    }

    static func write(_ number: Int) throws(VaultError) {
        try Vault().transaction { changes in
            changes.save(number, in: items[0])
            if number.isMultiple(of: 2) {
                changes.delete(items[2])
            } else {
                changes.save(number, in: items[2])
            }
            changes.save(number, in: items[1])
        }
    }

    func complaint(acknowledged: Int?) -> String? {
        let number = first ?? 0
        let third = number.isMultiple(of: 2) ? nil : number
        guard first == second, self.third == third else { return "the items are \(self)" }
        guard let acknowledged, number < acknowledged else { return nil }
        return "transaction \(acknowledged) was lost: the items are \(self)"
    }
}
