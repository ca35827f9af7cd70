import Foundation

/// The order of a program's keychain work at launch, before anything else starts.
///
/// The check of the first launch runs first, then the migration, then the late clean-up, and then
/// the program. Libraries that read the keychain at their start therefore find it in order.
/// Deferred work does not delay the start.
///
/// ```swift
/// let sequence = LaunchSequence(
///     firstLaunch: FirstLaunchGuard(flags: LaunchFlags()),
///     chain: chain,
///     cleanup: DeferredCleanup(after: chain)
/// )
/// try await sequence.run { report in try await startApp() }
/// ```
/// - Source: Migration guide, Complete App Launch Sequence.
public struct LaunchSequence: Sendable {
    /// A stage of the sequence.
    ///
    /// ```swift
    /// for stage in LaunchSequence.Stage.allCases { print(stage.rawValue) }
    /// ```
    public enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
        /// The check for items of an earlier installation.
        case firstLaunch
        /// The migration to the newest version.
        case migration
        /// The removal of old copies after the rollback window.
        case deferredCleanup
        /// The start of the program itself.
        case start
    }

    /// The outcome of each stage.
    ///
    /// ```swift
    /// let report = await sequence.plan()
    /// print(report.migration?.state ?? .upToDate)
    /// ```
    public struct Report: Codable, Hashable, Sendable {
        /// The outcome of the check of the first launch.
        public var firstLaunch: FirstLaunchGuard.Outcome?
        /// The result of the migration.
        public var migration: MigrationResult?
        /// The outcome of the late clean-up.
        public var deferredCleanup: DeferredCleanup.Outcome?

        /// Creates a report without outcomes.
        public init() {}
    }

    private let firstLaunch: FirstLaunchGuard
    private let chain: MigrationChain
    private let cleanup: DeferredCleanup

    /// Creates a sequence of these three stages.
    public init(
        firstLaunch: FirstLaunchGuard,
        chain: MigrationChain,
        cleanup: DeferredCleanup
    ) {
        self.firstLaunch = firstLaunch
        self.chain = chain
        self.cleanup = cleanup
    }

    /// Runs the stages, calls the observer before each, and then starts the program.
    ///
    /// While the check of the first launch is deferred, the migration does not run. A later check
    /// would remove the migrated items.
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

    /// Returns what a launch would do now, without changing or starting anything.
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
