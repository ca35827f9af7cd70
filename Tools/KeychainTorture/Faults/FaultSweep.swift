import Cryptography
import KeychainModel

/// Failures of every disk operation of every verb, one at a time.
///
/// The call reports the failure or succeeds. Afterwards, the keychain is in its state before the
/// call or after it.
struct FaultSweep {
    private let seed: UInt64
    private let every: Int
    private let scratch: ScratchDirectory
    private let startingKeychains: StartingKeychains
    private let report: TortureReport
    private var directory: String { scratch.directory("keychain") }

    /// One verb on one starting keychain, with the two permitted states.
    private struct Case {
        let verb: TortureCall
        let isCrashed: Bool
        let source: String
        /// nil if there was no keychain before.
        let before: Snapshot?
        let after: Snapshot
    }

    /// Prepares the sweep; if `every` is 3, each fault occurs at a third of the steps, and each
    /// step has one fault.
    init(seed: UInt64, every: Int, _ report: TortureReport) throws(KeychainError) {
        self.seed = seed
        self.every = every
        self.report = report
        scratch = try ScratchDirectory()
        startingKeychains = try StartingKeychains(in: scratch)
    }

    /// Tries every fault once, or until the time is over; `only` is the name of a verb, nil for
    /// all.
    func run(only: String? = nil) throws(KeychainError) {
        var random = SeededNumbers(seed: seed)
        // The order is random, so that short runs differ.
        let verbs = TortureCall.all.filter { only == nil || $0.name == only }.shuffled(
            using: &random
        )
        for verb in verbs {
            for isCrashed in verb.base == .none ? [false] : [false, true] {
                let swept = try prepare(verb, isCrashed)
                try sweep(swept)
                if report.findings > 0 || report.isOver { return }
                report.add("verbs")
            }
        }
        report.add("complete-rounds")
    }

    private func prepare(_ verb: TortureCall, _ isCrashed: Bool) throws(KeychainError) -> Case {
        let source = startingKeychains.path(of: verb.base, crashed: isCrashed)
        var before: Snapshot?
        if verb.base != .none {
            try scratch.copy(source, to: directory)
            before = try Snapshot.reopening(directory)
        }
        try scratch.copy(source, to: directory)
        let rig = try verb.opensItself ? nil : Rig(directory)
        try verb.run(directory, rig)
        rig?.close()
        let after = try Snapshot.reopening(directory)
        return Case(
            verb: verb,
            isCrashed: isCrashed,
            source: source,
            before: before,
            after: after
        )
    }

    private func sweep(_ swept: Case) throws(KeychainError) {
        for isRead in [false, true] {
            // A read can only fail with an error or a death; neither writes anything.
            let faults = isRead ? [.inputOutput] : DiskFault.allCases
            for (index, fault) in faults.enumerated() {
                var number = (Int(truncatingIfNeeded: seed & 0xFFFF) + index) % every
                while try attempt(
                    swept,
                    FaultPoint(fault: fault, number: number, isRead: isRead)
                ) {
                    number += every
                    report.add(isRead ? "read-faults" : "faults")
                    if report.findings > 0 || report.isOver { return }
                }
                report.progress("\(swept.verb.name): \(fault), \(number) steps")
            }
        }
    }

    /// - Returns: false after the last step.
    private func attempt(_ swept: Case, _ point: FaultPoint) throws(KeychainError) -> Bool {
        try scratch.copy(swept.source, to: directory)
        let rig = try swept.verb.opensItself ? nil : Rig(directory)
        DiskFaults.watch(directory, point)
        var refusal: KeychainError?
        do throws(KeychainError) { try swept.verb.run(directory, rig) } catch { refusal = error }
        let hasHappened = DiskFaults.hasHappened
        let isOver = point.fault.isDeath || (refusal != nil && swept.verb.failureEndsProcess)
        // After a death, the process cannot close its files properly.
        if isOver { rig?.close() }
        DiskFaults.end()
        guard hasHappened else { return false }
        do throws(KeychainError) {
            if let rig, !isOver {
                try expect(swept, refusal, try Snapshot(of: rig), "the process that met it")
                try rig.prove()
                rig.close()
            }
            try expect(swept, refusal, try Snapshot.reopening(directory), "the next process")
        } catch {
            tell(swept, point, refusal, "\(error)")
        }
        return true
    }

    private func expect(
        _ swept: Case,
        _ refusal: KeychainError?,
        _ found: Snapshot,
        _ who: String
    ) throws(KeychainError) {
        if found == swept.after { return }
        // The creation of a keychain can stop before it has any content, and another process can
        // finish it.
        if let before = swept.before, refusal != nil, found == before { return }
        let nearest = refusal == nil ? swept.after : swept.before ?? swept.after
        let difference = found.difference(from: nearest)
        throw KeychainError(.internal, "\(who) sees neither state: \(difference)")
    }

    private func tell(
        _ swept: Case,
        _ point: FaultPoint,
        _ refusal: KeychainError?,
        _ reason: String
    ) {
        let answer = refusal.map { "refused with \($0)" } ?? "succeeded"
        let base = "\(swept.verb.base.rawValue)\(swept.isCrashed ? ", crashed before" : "")"
        report.found(
            "\(swept.verb.name) (\(base)) with \(point) \(answer); \(reason)",
            repeatWith: "--verb '\(swept.verb.name)' --every \(every) --seed \(seed)"
        )
    }
}
