import Cryptography
import KeychainModel

/// Power cuts at every moment of a recorded life of a keychain.
///
/// With any part of the unsynchronized writes lost, the keychain opens and contains the
/// acknowledged values.
struct PowerLoss {
    /// The first calls of each life, because calls that replace key files are seldom possible in a
    /// random order.
    private static let prologue = [
        "add", "set a passcode", "remove the passcode", "set a passcode",
        "update attributes of all", "change the passcode",
    ]
    /// The number of random calls that follow.
    private static let callCount = 20
    /// The number of random subsets to check at each moment.
    private static let subsetCount = 3

    private let seed: UInt64
    /// The number of changes between power cuts; there is also one after each call.
    private let interval: Int
    /// false to prove that the check works: the disk then makes nothing durable.
    private let heedsSyncs: Bool
    private let report: TortureReport
    private let scratch: ScratchDirectory
    private var random: SeededNumbers
    /// The number of disk changes at the end of each call, and the keychain's content at that time.
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

    /// Records one life, and checks every moment of it.
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
        // The directory's own name is durable only if the program that made its parent sees to
        // that.
        try scratch.fill(directory, with: [:])
        DiskRecorder.start(directory)
        defer { DiskRecorder.stop() }
        var rig = try Rig(directory)
        try acknowledge("create")
        // A life changes and removes the passcode. A later check would need to know the passcode to
        // which each item was bound. The fault sweep covers that verb.
        let verbs = TortureCall.all.filter { !$0.opensItself && !$0.bindsToPasscode }
        for name in Self.prologue {
            // Each call is possible at its position.
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
                // A refused call has changed nothing, which is checked, too.
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
        // The permitted states are those of the completed calls and of the call in progress.
        // Several calls may have made no change, and then their states are equal.
        let returned = acknowledged.last { $0.count <= count }
        let underWay = acknowledged.first { $0.count > count }
        let isBetween = returned?.count == count
        let allowed = [returned?.state, isBetween ? nil : underWay?.state].compactMap { $0 }
        if allowed.contains(found) { return }
        // Before the keychain was created, nothing was acknowledged.
        if acknowledged[0].count > count, found.items.isEmpty, found.passcode == nil { return }
        let difference = allowed.first.map { found.difference(from: $0) } ?? "nothing is allowed"
        throw KeychainError(.internal, "found neither state: \(difference)")
    }
}
