import Cryptography
import Foundation
import Glibc
import KeychainModel

// Laws  (1) Nothing that a door acknowledged is lost, whichever process is killed.
//       (2) Every call of a client ends within a bound.
//       (3) A door that is started again has the items that it had.

/// The Secret Service door with real clients, and kills of the door, the daemon and clients.
///
/// Rounds alternate between a daemon and the embedded keychain.
final class DoorsRun {
    private static let itemsPerWorker = 4
    private static let workerCount = 3
    private static let door = "keychain-secret-service"

    private let seed: UInt64
    private let kills: Int
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private let daemon: TortureDaemon?
    private let bus: SessionBus
    private let door: TortureProgram
    private var random: SeededNumbers
    private var workers: [SecretToolWorker] = []
    private var values: [String: PossibleValues] = [:]

    init(_ options: TortureOptions, round: Int, _ report: TortureReport) throws(KeychainError) {
        seed = options.seed &+ UInt64(round)
        kills = options["kills"] ?? 20
        self.report = report
        random = SeededNumbers(seed: seed)
        scratch = try ScratchDirectory()
        let usesDaemon = options.text("mode").map { $0 == "daemon" } ?? round.isMultiple(of: 2)
        daemon =
            usesDaemon ? TortureDaemon(scratch.directory("d"), account: geteuid()) : nil
        bus = SessionBus(scratch.path)
        door = TortureProgram(log: scratch.directory("door.log"))
    }

    func run() {
        guard access(SecretToolWorker.program, X_OK) == 0 else {
            return fail("\(SecretToolWorker.program) is missing: install libsecret-tools")
        }
        setenv("KEYCHAIN_SOCKET", daemon?.socket ?? "", 1)
        setenv("KEYCHAIN_HOME", scratch.directory("embedded"), 1)
        setenv("KEYCHAIN_PROMPT", "none", 1)
        unsetenv("XDG_RUNTIME_DIR")
        unsetenv("KEYCHAIN_ENTITLEMENTS")
        if let daemon {
            guard daemon.prepare([Self.door]) else { return fail("cannot make the daemon's place") }
            if let problem = daemon.start() { return fail(problem) }
        }
        if let problem = bus.start() ?? startDoor() { return fail(problem) }
        work()
        finish()
    }

    private func fail(_ reason: String) {
        let mode = daemon == nil ? "embedded" : "daemon"
        report.found(reason, repeatWith: "--seed \(seed) --mode \(mode)")
    }

    private var isWell: Bool { report.findings == 0 && !report.isOver }

    private func startDoor() -> String? {
        door.start([TortureDaemon.program(Self.door), "--bus", bus.address])
    }
}

// Kills, and the check of the state after them.
extension DoorsRun {
    private func work() {
        for number in 0..<Self.workerCount {
            let worker = SecretToolWorker(
                "w\(number)",
                count: Self.itemsPerWorker,
                address: bus.address
            )
            worker.start(seed: random.next() >> 16)
            workers.append(worker)
        }
        for _ in 0..<kills where isWell {
            usleep(UInt32(50_000 + random.next(below: 400_000)))
            killSomebody()
            report.progress("\(report.figure("killed-doors")) kills of the door")
        }
        for worker in workers { worker.stop() }
        follow()
    }

    private func killSomebody() {
        switch random.next(below: 4) {
        case 0:
            let victim = workers[random.next(below: workers.count)]
            if victim.killCall() { report.add("killed-clients") }
        case 1 where daemon != nil:
            daemon?.kill()
            report.add("killed-daemons")
            if let problem = daemon?.start() { fail(problem) }
        default:
            guard door.isAlive else { return fail("the door ended by itself: \(door.lastWords)") }
            door.kill()
            report.add("killed-doors")
            usleep(UInt32(random.next(below: 100_000)))
            if let problem = startDoor() { fail(problem) }
        }
    }

    private func follow() {
        for worker in workers {
            let (lines, late) = worker.take()
            for call in late { fail("a call did not end: secret-tool \(call)") }
            var known = values[worker.prefix] ?? PossibleValues()
            for complaint in known.follow(lines) { fail(complaint) }
            values[worker.prefix] = known
        }
    }

    /// Checks that a new door finds all acknowledged items, and that the keychain is sound.
    private func finish() {
        guard report.findings == 0 else { return }
        door.kill()
        if let problem = startDoor() { return fail(problem) }
        waitForDoor()
        let before = values.mapValues(\.unanswered)
        for worker in workers { worker.readAll() }
        follow()
        for (prefix, known) in values where known.unanswered > before[prefix] ?? 0 {
            fail("the items of \(prefix) cannot be read: \(door.lastWords)")
        }
        report.add("acknowledged-writes", values.values.reduce(0) { $0 + $1.acknowledged })
        door.kill()
        if let problem = daemon?.stop() { return fail(problem) }
        let home = daemon.map { $0.home(of: $0.account) } ?? scratch.directory("embedded")
        if let complaint = DaemonKeychain(home).complaint() {
            fail("\(complaint), in the keychain of the door")
        }
        report.add("rounds")
    }

    private func waitForDoor() {
        let probe = SecretToolWorker("probe", count: 1, address: bus.address)
        let limit = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < limit {
            probe.readAll()
            if probe.take().lines.contains(where: { $0.status == -25300 }) { return }
            usleep(20_000)
        }
        fail("the door does not answer 30 s after its start: \(door.lastWords)")
    }
}
