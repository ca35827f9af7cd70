import Cryptography
import Foundation
import Glibc
import KeychainModel
import KeychainServices

// Laws  (1) Nothing that was acknowledged is lost, whichever process is killed.
//       (2) Every call ends within a bound.
//       (3) A hostile program does not stop the calls of others.
//       (4) Once the clients have ended, the daemon has the same resources as before.
//       (5) Two accounts use the same names, and never see each other's values.

/// A daemon, programs of two accounts that use it, kills of all of them, and hostile programs.
///
/// As root, the daemon serves every account; otherwise only its own.
final class DaemonRun {
    /// The accounts of the programs if this one is root; they need not exist.
    private static let strangers: [UInt32] = [61_001, 61_002]
    private static let firstStormAccount: UInt32 = 61_010
    private static let itemsPerWorker = 8
    private static let workersPerAccount = 3
    /// The greatest number of connections of one account, and a number of accounts that together
    /// have more than a daemon accepts.
    private static let stormCount = (connections: 64, processes: 18)

    private let seed: UInt64
    private let kills: Int
    private let storms: Int
    private let prompts: Int
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private let daemon: TortureDaemon
    private let accounts: [UInt32]
    private var random: SeededNumbers
    private var workers: [DaemonClient] = []
    private var gone: [DaemonClient] = []
    private var startedCounts: [UInt32: Int] = [:]

    init(
        _ options: TortureOptions,
        round: Int,
        _ report: TortureReport
    ) throws(KeychainError) {
        seed = options.seed &+ UInt64(round)
        kills = options["kills"] ?? 40
        storms = options["storms"] ?? 2
        prompts = options["prompts"] ?? 6
        self.report = report
        random = SeededNumbers(seed: seed)
        scratch = try ScratchDirectory()
        let isSystem = Self.isSystem(options.text("mode"), round)
        // A program of root can replace everything, so the daemon does not trust one.
        let own = geteuid() == 0 ? Self.strangers[0] : geteuid()
        accounts = isSystem ? Self.strangers : [own]
        chmod(scratch.path, 0o711)
        daemon = TortureDaemon(scratch.directory("d"), account: isSystem ? nil : own)
        if geteuid() != 0, round == 0 {
            report.say("daemon: one account, because only root has two")
        }
    }

    /// Alternates as root between a daemon of every account and one of a single account.
    private static func isSystem(_ mode: String?, _ round: Int) -> Bool {
        guard geteuid() == 0 else { return false }
        return mode.map { $0 == "system" } ?? round.isMultiple(of: 2)
    }

    func run() {
        setenv("KEYCHAIN_SOCKET", daemon.socket, 1)
        setenv("KEYCHAIN_HOME", scratch.directory("embedded"), 1)
        unsetenv("XDG_RUNTIME_DIR")
        unsetenv("KEYCHAIN_ENTITLEMENTS")
        guard daemon.prepare() else { return fail("cannot make \(daemon.directory)") }
        start()
        killEverybody()
        quiesce()
        besiege()
        prompt()
        finish()
    }

    private func fail(_ reason: String) {
        report.found(
            reason,
            repeatWith: "--seed \(seed) --mode \(daemon.isSystem ? "system" : "user")"
        )
    }

    private var isWell: Bool { report.findings == 0 && !report.isOver }
}

// Starting, and checking the reports.
extension DaemonRun {
    private func start() {
        if let problem = daemon.start() { fail(problem) }
    }

    private func startWorkers() {
        for account in accounts {
            let missing = Self.workersPerAccount - workers.count { $0.account == account }
            for _ in 0..<max(0, missing) { startWorker(account) }
        }
    }

    private func startWorker(_ account: UInt32) {
        // The workers of both accounts have the same names, so that one could find the other's
        // items.
        let number = startedCounts[account, default: 0]
        startedCounts[account] = number + 1
        let words = ["mix", "\(Self.itemsPerWorker)", "w\(number)", "\(random.next() >> 16)"]
        guard let client = DaemonClient("w\(number)", words, account) else {
            return fail("cannot start a worker process")
        }
        workers.append(client)
    }

    private func retire(_ client: DaemonClient) {
        client.process.kill()
        workers.removeAll { $0 === client }
        if let late = client.follow().first { fail(late) }
        gone.append(client)
    }

    private func retireAll() { for client in workers { retire(client) } }

    /// Reads all items of workers that have ended, with the account of each.
    private func readBack() {
        for account in accounts {
            let clients = gone.filter { $0.account == account }
            guard !clients.isEmpty else { continue }
            let words = ["read", "\(Self.itemsPerWorker)"] + clients.map(\.prefix)
            guard let reader = DaemonClient("", words, account) else {
                return fail("cannot start a worker process")
            }
            for complaint in reader.take(clients) { fail(complaint) }
        }
        report.add("read-backs")
    }
}

// Kills.
extension DaemonRun {
    private func killEverybody() {
        for _ in 0..<kills where isWell {
            startWorkers()
            usleep(UInt32(20_000 + random.next(below: 250_000)))
            switch random.next(below: 8) {
            case 0, 1:
                retire(workers[random.next(below: workers.count)])
                report.add("killed-clients")
            case 2 where killWitness(): break
            default:
                daemon.kill()
                report.add("killed-daemons")
                if random.next(below: 2) == 0 { usleep(UInt32(random.next(below: 50_000))) }
                start()
            }
            report.progress("\(report.figure("killed-daemons")) kills of the daemon")
        }
        retireAll()
    }

    /// Kills the process that inspects programs for the daemon, if there is one.
    private func killWitness() -> Bool {
        let witnesses = ProcessVitals.children(of: daemon.process, named: "keychain-witness")
        for witness in witnesses { Glibc.kill(witness, SIGKILL) }
        report.add("killed-witnesses", witnesses.count)
        return !witnesses.isEmpty
    }

    /// Waits until no process uses the daemon, and checks that all acknowledged values exist.
    private func quiesce() {
        daemon.kill()
        start()
        guard isWell else { return }
        readBack()
        if access(scratch.directory("embedded"), F_OK) == 0 {
            fail("a program used a keychain of its own, although a daemon was there")
        }
    }
}

// Storms and hostile programs.
extension DaemonRun {
    private func besiege() {
        guard isWell else { return }
        // Before this, no two processes used the daemon at once since its start.
        startWorkers()
        usleep(1_000_000)
        retireAll()
        guard let before = settled(to: nil) else { return }
        report.say("daemon: idle with \(before)")
        var memory: Int?
        for _ in 0..<storms where isWell {
            startWorkers()
            let honest = workers
            storm()
            attack()
            retireAll()
            checkHonest(honest)
            guard let after = settled(to: before) else { return }
            // The first storm shows the memory that threads keep; later ones need no more.
            if let known = memory, after.kilobytes > known + 16 << 10 {
                fail("the daemon takes \(after) after a storm, and \(known / 1024) MB before it")
            }
            memory = max(memory ?? 0, after.kilobytes)
            report.add("storms")
        }
        if isWell { readBack() }
    }

    /// Waits until the daemon has released the resources of all clients.
    private func settled(to wanted: ProcessVitals?) -> ProcessVitals? {
        let limit = ContinuousClock.now + .seconds(30)
        var last: ProcessVitals?
        while ContinuousClock.now < limit {
            guard let now = daemon.vitals else { break }
            if let wanted {
                // One thread for all idle connections stays. A connection of SQLite for each search
                // at a time has three descriptors.
                if now.threads <= wanted.threads + 1, now.descriptors <= wanted.descriptors + 24 {
                    return now
                }
            } else if let last, last.threads == now.threads, last.descriptors == now.descriptors {
                return now
            }
            last = now
            usleep(500_000)
        }
        let words = last.map { "\($0)" } ?? "nothing"
        let before = wanted.map { ", and before its clients \($0)" } ?? ""
        fail("the daemon holds \(words) 30 s after its clients\(before)")
        return nil
    }

    private func storm() {
        let (connections, processes) = Self.stormCount
        let clients = (0..<processes).compactMap { number in
            DaemonClient(
                verb: "storm",
                [daemon.socket, "\(connections)"],
                daemon.isSystem ? Self.firstStormAccount + UInt32(number) : accounts[0]
            )
        }
        for client in clients {
            let line = client.process.texts().first { $0.hasPrefix("storm ") } ?? ""
            let counts = line.split(separator: " ").dropFirst().compactMap { Int($0) }
            guard counts.count == 4 else {
                fail("a program of a storm ended without a word")
                continue
            }
            report.add("storm-connections", counts[0])
            report.add("storm-refusals", counts[1])
            report.add("storm-endings", counts[3])
            if counts[2] > 0 { fail("\(counts[2]) greetings of a storm were not answered") }
        }
        if !daemon.isAlive { fail("the daemon died in a storm: \(daemon.lastWords)") }
    }

    private func attack() {
        let clients = HostileClient.allCases.enumerated().compactMap { number, way in
            DaemonClient(
                verb: "hostile",
                [way.rawValue, daemon.socket, "\(random.next() >> 16)"],
                daemon.isSystem ? Self.firstStormAccount + UInt32(number) : accounts[0]
            )
        }
        // One of them is killed in between.
        usleep(UInt32(random.next(below: 300_000)))
        if let victim = clients.randomElement(using: &random) { victim.process.kill() }
        for client in clients {
            for line in client.process.texts() where line.hasPrefix("FINDING") {
                fail(String(line.dropFirst(8)))
            }
            report.add("hostile-programs")
        }
        if !daemon.isAlive { fail("a hostile program ended the daemon: \(daemon.lastWords)") }
    }

    /// Checks that clients which were already connected are served all the time.
    ///
    /// A storm of the same account may end an idle connection at the moment of a call, and the
    /// client cannot know whether the daemon still read the call. Another account's storm may not.
    private func checkHonest(_ clients: [DaemonClient]) {
        let limit = daemon.isSystem ? 1 : 8
        for client in clients where client.values.unanswered > limit {
            fail(
                "\(client.values.unanswered) calls of an honest program failed while others were"
                    + " hostile"
            )
        }
    }
}

// Prompts, and the end of the run.
extension DaemonRun {
    private func prompt() {
        guard isWell, !daemon.isSystem else { return }
        let prompts = AbandonedPrompts(daemon, accounts[0], random, report)
        if let complaint = prompts.run(self.prompts) { fail(complaint) }
    }

    private func finish() {
        retireAll()
        guard report.findings == 0 else { return }
        if let problem = daemon.stop() { return fail(problem) }
        var acknowledged = 0
        for client in gone { acknowledged += client.values.acknowledged }
        report.add("acknowledged-writes", acknowledged)
        for account in accounts {
            let home = daemon.home(of: account)
            let words = ["daemon", String(daemon.account), "check", home]
            let verdict = WorkerProcess(words)?.texts().joined(separator: " ") ?? "no process"
            if verdict != "sound" { fail("\(verdict), in the keychain of account \(account)") }
        }
        report.add("rounds")
    }
}
