import Foundation

/// What a program does with its keychain before anything else of it starts.
///
/// First the clean-up of a first launch, then the migration, then the late clean-up, and only then
/// the rest: libraries that read the keychain when they start find it in order. What had to be
/// put off does not hold the rest up.
/// - Source: Migration guide, Complete App Launch Sequence.
public struct LaunchSequence: Sendable {
    /// The stages, in their order.
    public enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
        case firstLaunch, migration, deferredCleanup, start
    }

    /// What came of each stage.
    public struct Report: Codable, Hashable, Sendable {
        /// The clean-up of a first launch.
        public var firstLaunch: FirstLaunchGuard.Outcome?
        /// The migration.
        public var migration: MigrationResult?
        /// The late clean-up.
        public var deferredCleanup: DeferredCleanup.Outcome?

        /// Nothing yet.
        public init() {}
    }

    private let firstLaunch: FirstLaunchGuard
    private let chain: MigrationChain
    private let cleanup: DeferredCleanup

    /// A sequence of these three.
    public init(
        firstLaunch: FirstLaunchGuard,
        chain: MigrationChain,
        cleanup: DeferredCleanup
    ) {
        self.firstLaunch = firstLaunch
        self.chain = chain
        self.cleanup = cleanup
    }

    /// Runs the stages, telling of each before it begins, and then starts the rest.
    ///
    /// While the first launch could not be told from others, nothing is migrated: a clean-up that
    /// comes later would remove what was migrated before it.
    public func run<Result: Sendable>(
        now: Date = Date(),
        execution: MigrationContext.Execution = .foreground,
        observer: @Sendable (Stage, Report) -> Void = { _, _ in },
        start: @Sendable (Report) async throws -> Result
    ) async rethrows -> Result {
        var report = Report()
        observer(.firstLaunch, report)
        let first = await firstLaunch.run()
        report.firstLaunch = first
        observer(.migration, report)
        report.migration = await migration(after: first, now: now, execution: execution)
        observer(.deferredCleanup, report)
        report.deferredCleanup = await cleanup.run(now: now)
        observer(.start, report)
        return try await start(report)
    }

    /// Says what a launch would do now, stage by stage; nothing is changed and nothing started.
    public func plan(
        now: Date = Date(),
        execution: MigrationContext.Execution = .foreground
    ) async -> Report {
        var report = Report()
        report.firstLaunch = await firstLaunch.run(isDryRun: true)
        report.migration = await chain.run(now: now, execution: execution, isDryRun: true)
        report.deferredCleanup = await cleanup.run(now: now, isDryRun: true)
        return report
    }

    private func migration(
        after first: FirstLaunchGuard.Outcome,
        now: Date,
        execution: MigrationContext.Execution
    ) async -> MigrationResult {
        switch first {
        case .launchedBefore, .cleaned, .upgraded:
            return await chain.run(now: now, execution: execution)
        case .deferred(let reason):
            return MigrationResult(state: .deferred(reason: reason), report: MigrationReport())
        case .failed:
            let reason = "the clean-up of the first launch failed"
            return MigrationResult(state: .deferred(reason: reason), report: MigrationReport())
        }
    }
}
