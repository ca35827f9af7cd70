import Foundation
import Glibc
import KeychainServices

/// The whole run: two processes add, two processes update, one process after the other is killed.
final class TortureRun {
    private let options: TortureOptions
    private let home: TortureHome
    private var failures: [String] = []

    init(options: TortureOptions) {
        self.options = options
        home = TortureHome(options.home)
    }

    /// - Returns: whether every acknowledged write was there in the end.
    func run() -> Bool {
        home.enter()
        say("keychain \(home.directory), seed \(options.seed)")
        let start = ContinuousClock.now
        race()
        contend()
        crash()
        say("\(failures.isEmpty ? "passed" : "FAILED") in \(ContinuousClock.now - start)")
        for failure in failures.prefix(20) { say("  \(failure)") }
        home.leave(keepingKeychain: !failures.isEmpty)
        return failures.isEmpty
    }

    private func say(_ line: String) { OutputLine.write(line, to: STDOUT_FILENO) }

    private func fail(_ reason: String) { failures.append(reason) }

    private func start(_ arguments: String...) -> WorkerProcess? {
        let worker = WorkerProcess(arguments)
        if worker == nil { fail("cannot start a worker process") }
        return worker
    }
}

// Two processes at once.
extension TortureRun {
    /// Two processes add the same items: each item is added once and refused once.
    private func race() {
        let workers = (0..<2).compactMap { _ in start("add", "\(options.items)") }
        let lines = workers.flatMap { $0.lines() }
        let byAccount = Dictionary(grouping: lines, by: \.account)
        for number in 0..<options.items {
            let account = "item-\(number)"
            let statuses = byAccount[account, default: []].compactMap(\.status).sorted()
            if statuses != [errSecDuplicateItem, errSecSuccess] {
                fail("two adds of \(account) returned \(statuses)")
            }
            let found = TortureItem(account: account).read()
            if found.value != "added" { fail("\(account) reads \(found)") }
        }
        let count = TortureItem.count()
        if count != options.items { fail("\(count) items instead of \(options.items)") }
        say("race: \(lines.count) adds by 2 processes, \(count) items")
    }

    /// Two processes update the same items: the last write of one of them stays.
    private func contend() {
        let names = ["a", "b"]
        let workers = names.compactMap {
            start("update", $0, "\(options.items)", "\(options.rounds)")
        }
        let lines = workers.flatMap { $0.lines() }
        for line in lines where line.status != errSecSuccess {
            fail("update of \(line.account) returned \(line.status.map(String.init) ?? "nothing")")
        }
        let expected = names.count * options.items * options.rounds
        if lines.count != expected { fail("\(lines.count) updates instead of \(expected)") }
        let last = Set(names.map { "\($0):\(options.rounds - 1)" })
        for number in 0..<options.items where options.rounds > 0 {
            let found = TortureItem(account: "item-\(number)").read()
            if !last.contains(found.value ?? "") { fail("item-\(number) reads \(found)") }
        }
        say("contention: \(lines.count) updates by 2 processes")
    }
}

// A process that dies while another writes.
extension TortureRun {
    private static let accounts = 12

    private func crash() {
        var random = TortureRandom(state: options.seed)
        let seed = "\(options.seed)"
        let bystander = start("mix", "bystander", "\(Self.accounts)", seed)
        var model = ItemModel()
        for kill in 1...max(1, options.kills) where options.kills > 0 {
            let before = failures.count
            let victim = start("mix", "victim", "\(Self.accounts)", "\(random.next() >> 32)")
            guard let victim else { return }
            let writes = random.next(below: 20)
            while victim.byteCount < 1 + writes * 60 { usleep(100) }
            usleep(UInt32(random.next(below: 3000)))
            victim.kill()
            verify(&model, victim.lines(), prefix: "victim")
            if failures.count > before { fail("  in the crash of kill \(kill)") }
            if kill.isMultiple(of: 50) { say("crash: \(kill) kills") }
        }
        var other = ItemModel()
        if let bystander {
            bystander.kill()
            verify(&other, bystander.lines(), prefix: "bystander")
        }
        let total = model.acknowledged + other.acknowledged
        say("crash: \(options.kills) kills, \(total) acknowledged writes")
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
