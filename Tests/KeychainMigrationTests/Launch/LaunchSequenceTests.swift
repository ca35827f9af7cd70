import Foundation
import KeychainMigration
import KeychainServices
import Synchronization
import TestSupport
import Testing

@Suite struct `A launch` {
    let phone: Phone
    let suite = Suite()
    let journal = InMemoryJournal()
    let stages = Stages()

    /// What happened, in order.
    final class Stages: Sendable {
        private let all = Mutex<[String]>([])
        var names: [String] { all.withLock { $0 } }
        func note(_ name: String) { all.withLock { $0.append(name) } }
    }

    init() throws { phone = try Phone() }

    private func sequence(
        _ source: MapSource = MapSource(["token": "old"]),
        suite: Suite? = nil  // Defaults go with an installation.
    ) -> LaunchSequence {
        let mover = Mover(journal: journal)
        return sequence(.tokens(source, mover, phone.protectedData), suite ?? self.suite)
    }

    private func sequence(_ chain: MigrationChain, _ suite: Suite) -> LaunchSequence {
        LaunchSequence(
            firstLaunch: FirstLaunchGuard(
                flags: LaunchFlags(suite.defaults, domain: suite.name),
                protectedData: phone.protectedData
            ),
            chain: chain,
            cleanup: DeferredCleanup(after: chain)
        )
    }

    private func launch(_ sequence: LaunchSequence) async -> LaunchSequence.Report {
        await phone.app.run { [stages] in
            await sequence.run(
                observer: { stage, _ in stages.note(stage.rawValue) },
                start: { report in
                    stages.note("libraries")
                    return report
                }
            )
        }
    }

    @Test(.requirement("MIG-50", "MIG-23"))
    func `cleans up, migrates, cleans up late, and then starts the rest`() async throws {
        // What an earlier installation left must be gone before anything reads it.
        try phone.app.run { try ServicesKeychain().add(.token("stale"), "stale") }
        let report = await launch(sequence())
        #expect(
            stages.names
                == ["firstLaunch", "migration", "deferredCleanup", "start", "libraries"]
        )
        guard case .cleaned? = report.firstLaunch else {
            Issue.record("\(report)")
            return
        }
        #expect(report.migration?.state == .migrated(from: 0, to: 1))
        guard case .cleaned? = report.deferredCleanup else {
            Issue.record("\(report)")
            return
        }
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().text(.token("stale")) == nil)
            #expect(try ServicesKeychain().text(.token()) == "old")
        }
    }

    @Test(.requirement("MIG-50"))
    func `starts the rest even if all before it had to be put off`() async throws {
        phone.device.reboot()
        let report = await launch(sequence())
        let reason = "protected data is unavailable"
        #expect(report.firstLaunch == .deferred(reason: reason))
        #expect(report.migration?.state == .deferred(reason: reason))
        #expect(report.deferredCleanup == .deferred(reason: reason))
        #expect(stages.names.last == "libraries")
        try phone.unlock()
        #expect(await launch(sequence()).migration?.state == .migrated(from: 0, to: 1))
    }

    @Test(.contradiction("first-launch-wipe"))
    func `after a reinstallation wipes even the version, and migrates nothing`() async throws {
        #expect(await launch(sequence()).migration?.state == .migrated(from: 0, to: 1))
        let report = await launch(sequence(MapSource([:]), suite: Suite()))
        guard case .cleaned(let removed)? = report.firstLaunch else {
            Issue.record("\(report)")
            return
        }
        #expect(removed.outcomes.allSatisfy { $0 == .removed })
        #expect(report.migration?.state == .migrated(from: 0, to: 1))
        #expect(report.migration?.report.outcomes == [.nothingThere])
    }

    @Test func `migrates nothing that a later clean-up would remove`() async throws {
        // Locked for the first stage, open for the second.
        let source = MapSource(["token": "old"])
        let chain = MigrationChain.tokens(source, Mover(journal: journal), AlwaysAvailable())
        phone.device.lock()
        let report = await launch(sequence(chain, suite))
        #expect(report.migration?.state == .deferred(reason: "protected data is unavailable"))
        #expect(source["token"] == "old")
    }

    @Test(.requirement("MIG-48"))
    func `can be planned without anything being done`() async throws {
        try phone.app.run { try ServicesKeychain().add(.token("stale"), "stale") }
        let sequence = sequence()
        let report = await phone.app.run { await sequence.plan() }
        guard case .cleaned(let plan)? = report.firstLaunch else {
            Issue.record("\(report)")
            return
        }
        #expect(plan.outcomes == [.planned("remove")])
        #expect(report.migration?.state == .planned(from: 0, to: 1))
        #expect(report.deferredCleanup == .nothingToDo)
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().text(.token("stale")) == "stale")
            #expect(try ServicesKeychain().list(.everything).count == 1)
        }
        #expect(journal.history.isEmpty)
    }

    @Test func `has a report that can be written down and read again`() async throws {
        let report = await launch(sequence())
        let bytes = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(LaunchSequence.Report.self, from: bytes) == report)
    }
}
