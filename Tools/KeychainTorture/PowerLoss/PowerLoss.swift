import Cryptography
import KeychainModel

/// Cuts the power at every moment of a recorded life of a keychain: whatever of the unsynchronized
/// writes is lost, it opens and holds what was acknowledged.
struct PowerLoss {
    /// The calls that every life begins with: those that replace key files are seldom possible in a
    /// random order.
    private static let prologue = [
        "add", "set a passcode", "remove the passcode", "set a passcode",
        "update attributes of all", "change the passcode",
    ]
    /// How many calls at random follow.
    private static let callCount = 20
    /// How many random subsets are tried at each moment.
    private static let subsetCount = 3

    private let seed: UInt64
    /// The power is cut after every so many changes, and whenever a call has returned.
    private let interval: Int
    /// False to show that the check would notice: the disk then forgets to make anything durable.
    private let heedsSyncs: Bool
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private var random: SeededNumbers
    /// After how many changes each call returned, and what the keychain held then.
    private var acknowledged: [(count: Int, state: Snapshot, verb: String)] = []

    init(
        seed: UInt64,
        every interval: Int,
        heedsSyncs: Bool,
        _ report: TortureReport
    ) throws(KeychainError) {
        self.seed = seed
        self.interval = interval
        self.heedsSyncs = heedsSyncs
        self.report = report
        scratch = try ScratchDirectory()
        random = SeededNumbers(seed: seed)
    }

    /// Records one life and tries every moment of it.
    mutating func run() throws(KeychainError) {
        try record()
        let changes = DiskRecorder.changes
        report.add("lives")
        report.add("recorded-changes", changes.count)
        let returns = Set(acknowledged.map(\.count))
        var disk = DiskModel()
        for (index, change) in changes.enumerated() {
            if case .sync = change.kind, !heedsSyncs { continue }
            disk.apply(change)
            let count = index + 1
            guard returns.contains(count) || count % interval == 0 else { continue }
            try cut(disk, after: count)
            if returns.contains(count) { report.add("returns") }
            if report.findings > 0 || report.isOver { return }
            report.progress("seed \(seed), change \(count) of \(changes.count)")
        }
        report.add("complete-lives")
    }

    private mutating func record() throws(KeychainError) {
        let directory = scratch.directory("keychain")
        // Its own name is the business of whoever made the parent.
        try scratch.fill(directory, with: [:])
        DiskRecorder.start(directory)
        defer { DiskRecorder.stop() }
        var rig = try Rig(directory)
        try acknowledge("create")
        // A life changes and removes the passcode, and whoever looks at a moment of it later would
        // have to know which one each item was bound to; the fault sweep has that verb.
        let verbs = TortureCall.all.filter { !$0.opensItself && !$0.bindsToPasscode }
        for name in Self.prologue {
            // Each is possible where it stands.
            for verb in verbs where verb.name == name { try verb.run(directory, rig) }
            try acknowledge(name)
        }
        for _ in 0..<Self.callCount {
            if random.next(below: 6) == 0 {
                rig.close()
                rig = try Rig(directory)
                try acknowledge("close and open")
                continue
            }
            let verb = verbs[random.next(below: verbs.count)]
            do throws(KeychainError) { try verb.run(directory, rig) } catch {
                // What the present state refuses has changed nothing; that is checked too.
            }
            try acknowledge(verb.name)
        }
        rig.close()
        try acknowledge("close")
    }

    private mutating func acknowledge(_ verb: String) throws(KeychainError) {
        let count = DiskRecorder.count
        let copy = scratch.directory("acknowledged")
        try scratch.copy(scratch.directory("keychain"), to: copy)
        acknowledged.append((count, try Snapshot.reopening(copy), verb))
    }

    private mutating func cut(_ disk: DiskModel, after count: Int) throws(KeychainError) {
        let outcomes: [DiskModel.Outcome] =
            [.everything, .nothing] + Array(repeating: .some, count: Self.subsetCount)
        for outcome in outcomes {
            let state = disk.state(outcome, &random)
            let directory = scratch.directory("cut")
            try scratch.fill(directory, with: state)
            report.add("states")
            do throws(KeychainError) {
                try expect(try Snapshot.reopening(directory), after: count)
            } catch {
                let during = acknowledged.first { $0.count >= count }?.verb ?? "the end"
                report.found(
                    "power cut after change \(count) (\(outcome) of what was pending), "
                        + "during '\(during)': \(error)",
                    repeatWith: "--seed \(seed)"
                )
                return
            }
        }
    }

    private func expect(_ found: Snapshot, after count: Int) throws(KeychainError) {
        // The calls that had returned by then, and the one under way; several may have made no
        // change at all, and then hold the same.
        let returned = acknowledged.last { $0.count <= count }
        let underWay = acknowledged.first { $0.count > count }
        let isBetween = returned?.count == count
        let allowed = [returned?.state, isBetween ? nil : underWay?.state].compactMap { $0 }
        if allowed.contains(found) { return }
        // Before the keychain was made nothing had been acknowledged.
        if acknowledged[0].count > count, found.items.isEmpty, found.passcode == nil { return }
        let difference = allowed.first.map { found.difference(from: $0) } ?? "nothing is allowed"
        throw KeychainError(.internal, "found neither state: \(difference)")
    }
}
