import Cryptography
import Foundation
import Glibc
import KeychainServices

/// Two processes that add, two that update, and one process after the other that is killed.
final class CrashRun {
    private let seed: UInt64
    /// The number of items that two processes add and update at once.
    private let items: Int
    /// The number of updates of each item by each process.
    private let rounds: Int
    /// The least number of kills of a writing process; with a time limit, there are as many as fit.
    private let kills: Int
    private let home: TortureHome
    private let report: TortureReport

    init(_ options: TortureOptions, _ report: TortureReport) {
        seed = options.seed
        items = options["items"] ?? 200
        rounds = options["rounds"] ?? 3
        kills = options["kills"] ?? (options["seconds"] == nil ? 200 : .max)
        home = TortureHome(options.text("home"))
        self.report = report
    }

    func run() {
        home.enter()
        say("keychain \(home.directory)")
        race()
        contend()
        crash()
        if let complaint = home.complaint() { fail(complaint) }
        home.leave(keepingKeychain: report.findings > 0)
    }

    private func say(_ line: String) { report.say("crash: " + line) }

    private func fail(_ reason: String) {
        report.found("\(reason), in \(home.directory)", repeatWith: "--seed \(seed)")
    }

    private func start(_ arguments: String...) -> WorkerProcess? {
        let worker = WorkerProcess(arguments)
        if worker == nil { fail("cannot start a worker process") }
        return worker
    }
}

// Two processes at once.
extension CrashRun {
    /// Checks that of two processes that add the same items, each item is added once and refused
    /// once.
    private func race() {
        let workers = (0..<2).compactMap { _ in start("add", "\(items)") }
        let lines = workers.flatMap { $0.lines() }
        let byAccount = Dictionary(grouping: lines, by: \.account)
        for number in 0..<items {
            let account = "item-\(number)"
            let statuses = byAccount[account, default: []].compactMap(\.status).sorted()
            if statuses != [errSecDuplicateItem, errSecSuccess] {
                fail("two adds of \(account) returned \(statuses)")
            }
            let found = TortureItem(account: account).read()
            if found.value != "added" { fail("\(account) reads \(found)") }
        }
        let (status, count) = TortureItem.count()
        if count != items { fail("\(count) items instead of \(items), with status \(status)") }
        report.add("raced-adds", lines.count)
        say("race: \(lines.count) adds by 2 processes, \(count) items")
    }

    /// Checks that of two processes that update the same items, the last write of one of them
    /// stays.
    private func contend() {
        let names = ["a", "b"]
        let workers = names.compactMap {
            start("update", $0, "\(items)", "\(rounds)")
        }
        let lines = workers.flatMap { $0.lines() }
        for line in lines where line.status != errSecSuccess {
            fail("update of \(line.account) returned \(line.status.map(String.init) ?? "nothing")")
        }
        let expected = names.count * items * rounds
        if lines.count != expected { fail("\(lines.count) updates instead of \(expected)") }
        let last = Set(names.map { "\($0):\(rounds - 1)" })
        for number in 0..<items where rounds > 0 {
            let found = TortureItem(account: "item-\(number)").read()
            if !last.contains(found.value ?? "") { fail("item-\(number) reads \(found)") }
        }
        report.add("contended-updates", lines.count)
        say("contention: \(lines.count) updates by 2 processes")
    }
}

// Processes that are killed while they write.
extension CrashRun {
    private static let accounts = 12

    private func crash() {
        var random = SeededNumbers(seed: seed)
        let bystander = start("mix", "bystander", "\(Self.accounts)", "\(seed)")
        var model = ItemModel()
        var done = 0
        while done < kills, report.findings == 0, !report.isOver {
            done += 1
            let victim = start("mix", "victim", "\(Self.accounts)", "\(random.next() >> 32)")
            guard let victim else { return }
            let writes = random.next(below: 20)
            while victim.byteCount < 1 + writes * 60 { usleep(100) }
            usleep(UInt32(random.next(below: 3000)))
            victim.kill()
            verify(&model, victim.lines(), prefix: "victim")
            report.progress("\(done) kills")
        }
        var other = ItemModel()
        if let bystander {
            bystander.kill()
            verify(&other, bystander.lines(), prefix: "bystander")
        }
        report.add("kills", done)
        report.add("acknowledged-writes", model.acknowledged + other.acknowledged)
    }

    private func verify(_ model: inout ItemModel, _ lines: [WorkerLine], prefix: String) {
        let open = model.follow(lines, fail: fail)
        for number in 0..<Self.accounts {
            let account = "\(prefix)-\(number)"
            let found = TortureItem(account: account).read()
            let expected = model.values[account]
            guard found.status == errSecSuccess || found.status == errSecItemNotFound else {
                fail("\(account) cannot be read: \(found.status)")
                continue
            }
            if found.value == expected { continue }
            guard let open, open.0 == account, found.value == open.1 else {
                fail("\(account) reads \(found) instead of \(expected ?? "nothing")")
                continue
            }
            model.settle(account, found.value)
        }
    }
}
