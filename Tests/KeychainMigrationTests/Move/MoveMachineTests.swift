import TestSupport
import Testing

@testable import KeychainMigration

/// The world of one value, as far as the machine can see it; every answer it may get is tried.
private struct World: Hashable {
    var legacy: Bool
    var target: MoveMachine.TargetState
    var stage: JournalEntry.Stage?
}

/// One way through the machine.
private struct Walk {
    var machine: MoveMachine
    var commands: [MoveMachine.Command] = []

    /// Follows the machine as long as everything works; returns how it ended.
    mutating func follow(
        _ world: World,
        trust: SourceTrust = .trusted,
        readsBackEqual: Bool = true
    ) -> MoveOutcome? {
        var event = MoveMachine.Event.begin
        for _ in 0..<20 {
            let command = machine.handle(event)
            commands.append(command)
            switch command {
            case .readLegacy: event = world.legacy ? .legacyFound : .legacyAbsent(trust)
            case .compareTarget: event = .target(world.target)
            case .note: event = .noted
            case .write: event = .written
            case .readBack: event = .readBack(isEqual: readsBackEqual)
            case .seal: event = .sealed
            case .deleteLegacy: event = .deleted
            case .finish(let outcome): return outcome
            }
        }
        return nil
    }
}

@Suite struct `The machine that moves one value` {
    private static let worlds: [World] = {
        let targets: [MoveMachine.TargetState] = [
            .absent, .same(isStale: false), .same(isStale: true), .different,
        ]
        let stages: [JournalEntry.Stage?] = [nil] + JournalEntry.Stage.allCases
        return [true, false].flatMap { legacy in
            targets.flatMap { target in
                stages.map { World(legacy: legacy, target: target, stage: $0) }
            }
        }
    }()
    private static let retentions: [LegacyRetention] = [
        .deleteAfterVerify, .encryptedRollback(days: 30), .keepPlaintext(days: 30),
    ]

    private func walk(
        _ world: World,
        conflict: ConflictPolicy = .report,
        retention: LegacyRetention = .deleteAfterVerify,
        isDryRun: Bool = false
    ) -> Walk {
        Walk(
            machine: MoveMachine(
                stage: world.stage,
                conflict: conflict,
                retention: retention,
                isDryRun: isDryRun
            )
        )
    }

    @Test(arguments: ConflictPolicy.allCases, Self.retentions)
    func `ends in every world`(conflict: ConflictPolicy, retention: LegacyRetention) {
        let endless = Self.worlds.filter { world in
            var walk = walk(world, conflict: conflict, retention: retention)
            return walk.follow(world) == nil
        }
        #expect(endless.isEmpty)
    }

    @Test(arguments: ConflictPolicy.allCases, Self.retentions)
    func `deletes nothing that the journal does not call verified`(
        conflict: ConflictPolicy,
        retention: LegacyRetention
    ) {
        let wrong = Self.worlds.filter { world in
            var walk = walk(world, conflict: conflict, retention: retention)
            _ = walk.follow(world)
            guard let deletion = walk.commands.firstIndex(of: .deleteLegacy) else { return false }
            let before = walk.commands[..<deletion]
            let noted = before.lastIndex(of: .note(.verified))
            let isVerified = before.contains(.readBack) || conflict == .keepStored
            return noted == nil || !isVerified
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: Self.retentions)
    func `never deletes what read back differently`(retention: LegacyRetention) {
        let wrong = Self.worlds.filter { world in
            var walk = walk(world, retention: retention)
            let outcome = walk.follow(world, readsBackEqual: false)
            guard walk.commands.contains(.readBack) else { return false }
            return walk.commands.contains(.deleteLegacy)
                || outcome != .failed(.verificationMismatch)
        }
        #expect(wrong.isEmpty)
    }

    @Test func `writes over another value only if it is told to`() {
        let worlds = Self.worlds.filter { $0.legacy && $0.target == .different }
        let overwriting = ConflictPolicy.allCases.filter { conflict in
            worlds.contains { world in
                var walk = walk(world, conflict: conflict)
                _ = walk.follow(world)
                return walk.commands.contains(.write(.replaceValue))
            }
        }
        #expect(overwriting == [.replaceStored])
    }

    @Test(arguments: ConflictPolicy.allCases)
    func `only reads in a dry run`(conflict: ConflictPolicy) {
        let reading: Set<MoveMachine.Command> = [.readLegacy, .compareTarget]
        let wrong = Self.worlds.filter { world in
            var walk = walk(world, conflict: conflict, isDryRun: true)
            _ = walk.follow(world)
            return !walk.commands.dropLast().allSatisfy(reading.contains)
        }
        #expect(wrong.isEmpty)
    }

    @Test func `concludes nothing from a store that cannot be trusted`() {
        let worlds = Self.worlds.filter { !$0.legacy }
        let outcomes = Set(
            worlds.map { world in
                var walk = walk(world)
                return walk.follow(world, trust: .protectedDataUnavailable)
            }
        )
        #expect(outcomes == [.deferred("protected data is unavailable")])
    }

    @Test func `calls lost what was verified once and is nowhere now`() {
        let outcomes = JournalEntry.Stage.allCases.map { stage in
            let world = World(legacy: false, target: .absent, stage: stage)
            var walk = walk(world)
            return walk.follow(world)
        }
        // Stages: writing, verified, kept, done, reported.
        #expect(outcomes == [.nothingThere, .lost, .lost, .nothingThere, .nothingThere])
    }

    @Test(arguments: [
        (MigrationProblem.keychain(KeychainFailure(.add, status: -25308)), true),
        (.keychain(KeychainFailure(.add, status: -25299)), false),
        (.source(SourceFailure(.locked, "old")), true),
        (.source(SourceFailure(.damaged, "old")), false),
        (.journal(.unwritable("journal")), false),
    ])
    func `puts off what is locked and fails with the rest`(
        problem: MigrationProblem,
        isLocked: Bool
    ) {
        var walk = walk(World(legacy: true, target: .absent, stage: nil))
        _ = walk.machine.handle(.begin)
        let end = walk.machine.handle(.failed(problem))
        let expected: MoveOutcome =
            isLocked ? .deferred("the keychain is locked") : .failed(problem)
        #expect(end == .finish(expected))
    }

    @Test func `answers an event that does not follow with a failure`() {
        var machine = walk(World(legacy: true, target: .absent, stage: nil)).machine
        guard case .finish(.failed) = machine.handle(.deleted) else {
            Issue.record("a deletion before the beginning was taken for one")
            return
        }
    }
}
