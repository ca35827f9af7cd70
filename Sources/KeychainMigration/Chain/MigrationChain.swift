import Foundation

/// One step of a migration, which leads to a version.
///
/// ```swift
/// let step = MigrationStep(to: 1, "tokens out of defaults", [ValueMoves(moves)])
/// ```
public struct MigrationStep: Sendable {
    /// The version after every value of the step has arrived.
    public let version: Int
    /// The name in reports.
    public let name: String
    /// The operations, in the order in which they run.
    public let operations: [any MigrationOperation]

    /// Creates a step to a version, which is at least 1.
    public init(to version: Int, _ name: String, _ operations: [any MigrationOperation]) {
        self.version = version
        self.name = name
        self.operations = operations
    }
}

/// The final state of a migration.
///
/// ```swift
/// if case .failed(let failure) = result.state { print(failure) }
/// ```
public enum MigrationState: Codable, Hashable, Sendable {
    /// Every step was done before.
    case upToDate
    /// Every step up to the newest version is done.
    case migrated(from: Int, to: Int)
    /// The migration could not decide anything yet and lost nothing; the next run continues.
    case deferred(reason: String)
    /// A step is incomplete; the values that failed are still in their old store.
    case failed(MigrationFailure)
    /// A dry run: these steps would run.
    case planned(from: Int, to: Int)
}

/// The reason why a migration failed.
///
/// ```swift
/// if case .failed(.incomplete(let step)) = result.state { print("\(step) is incomplete") }
/// ```
public enum MigrationFailure: Error, Codable, Hashable, Sendable {
    /// Some values of a step did not arrive; the report names them.
    case incomplete(step: String)
    /// The stored version is not a number.
    case unreadableVersion
    /// A newer program has already migrated further.
    case newerVersion(Int)
    /// The keychain could not read or write the version or the date.
    case keychain(KeychainFailure)
}

/// The final state of a migration, and the outcome for each value.
///
/// ```swift
/// let result = await chain.run()
/// print(result.state, result.report)
/// ```
public struct MigrationResult: Codable, Hashable, Sendable {
    /// The final state.
    public let state: MigrationState
    /// The outcome for each value.
    public let report: MigrationReport
}

/// A sequence of steps from any version to the newest; each step runs once.
///
/// A keychain item stores the version, because defaults disappear when the user removes the
/// program. The version advances when every value of a step has arrived.
///
/// ```swift
/// let chain = MigrationChain(
///     service: "com.example.app",
///     steps: [MigrationStep(to: 1, "tokens out of defaults", [ValueMoves(moves)])],
///     mover: Mover(journal: FileJournal(file: journal))
/// )
/// let result = await chain.run()
/// ```
/// - Source: Migration guide, Versioned Migration with Schema Tracking.
public struct MigrationChain: Sendable {
    /// The steps, in the order of their versions.
    public let steps: [MigrationStep]
    /// The mover of the values.
    public let mover: Mover
    /// The source that reports whether old stores are readable now.
    public let protectedData: any ProtectedData
    /// The address of the item with the version.
    public let versionAddress: ItemAddress
    /// The address of the item with the date of the migration.
    public let dateAddress: ItemAddress

    /// Creates a chain for a program; `service` names the items with the version and the date.
    public init(
        service: String,
        steps: [MigrationStep],
        mover: Mover,
        protectedData: any ProtectedData = SystemProtectedData()
    ) {
        self.steps = steps.sorted { $0.version < $1.version }
        self.mover = mover
        self.protectedData = protectedData
        versionAddress = .genericPassword(service: service, account: "migration.version")
        dateAddress = .genericPassword(service: service, account: "migration.date")
    }

    /// The newest version, or 0 without steps.
    public var newestVersion: Int { steps.last?.version ?? 0 }

    /// Runs every missing step, or reports which steps would run.
    public func run(
        now: Date = Date(),
        execution: MigrationContext.Execution = .foreground,
        isDryRun: Bool = false
    ) async -> MigrationResult {
        var run = ChainRun(
            chain: self,
            context: MigrationContext(
                mover: mover,
                now: now,
                execution: execution,
                isDryRun: isDryRun
            )
        )
        let state = await run.state()
        return MigrationResult(state: state, report: run.report)
    }

    /// Waits for protected data and then runs every missing step once.
    public func runWhenAvailable(
        now: @Sendable () -> Date = { Date() },
        execution: MigrationContext.Execution = .foreground
    ) async throws(CancellationError) -> MigrationResult {
        try await protectedData.wait()
        return await run(now: now(), execution: execution)
    }

    /// Returns the stored version, 0 if none is stored, or nil if the item holds something else.
    ///
    /// - Throws: `KeychainFailure`.
    public func storedVersion() throws(KeychainFailure) -> Int? {
        guard let item = try mover.keychain.read(versionAddress) else { return 0 }
        let text = item.value.map { String(decoding: $0.copyBytesUnprotected(), as: UTF8.self) }
        return text.flatMap(Int.init)
    }
}

/// One run of a chain.
private struct ChainRun {
    let chain: MigrationChain
    let context: MigrationContext
    var report: MigrationReport

    init(chain: MigrationChain, context: MigrationContext) {
        self.chain = chain
        self.context = context
        report = MigrationReport(isDryRun: context.isDryRun)
    }

    mutating func state() async -> MigrationState {
        guard await chain.protectedData.isAvailable() else { return .unavailable }
        do throws(KeychainFailure) {
            guard let start = try chain.storedVersion() else {
                return .failed(.unreadableVersion)
            }
            let end = chain.newestVersion
            guard start <= end else { return .failed(.newerVersion(start)) }
            guard start < end else { return .upToDate }
            for step in chain.steps where step.version > start {
                if let stop = try await run(step, isLast: step.version == end) { return stop }
            }
            return context.isDryRun
                ? .planned(from: start, to: end) : .migrated(from: start, to: end)
        } catch {
            return error.isLocked ? .unavailable : .failed(.keychain(error))
        }
    }

    /// Runs a step; returns a state if the chain stops here.
    private mutating func run(
        _ step: MigrationStep,
        isLast: Bool
    ) async throws(KeychainFailure) -> MigrationState? {
        let done = step.operations.reduce(MigrationReport(isDryRun: context.isDryRun)) {
            $0.appending($1.run(in: context))
        }
        report = report.appending(done)
        if let reason = done.deferralReason { return .deferred(reason: reason) }
        guard done.isComplete else {
            if done.needsFreshLogin { report.advice.append(MigrationReport.freshLoginAdvice) }
            return .failed(.incomplete(step: step.name))
        }
        // If the device was locked meanwhile, an empty store may not be empty.
        let foundNothing = done.lines.contains { $0.outcome == .nothingThere }
        if foundNothing, await !chain.protectedData.isAvailable() { return .unavailable }
        guard !context.isDryRun else { return nil }
        // The date comes first: a version without a date would never be cleaned up.
        if isLast {
            try store(ISO8601DateFormatter().string(from: context.now), at: chain.dateAddress)
        }
        try store(String(step.version), at: chain.versionAddress)
        return nil
    }

    private func store(_ text: String, at address: ItemAddress) throws(KeychainFailure) {
        let value = SecretBytes(text)
        if let item = try context.keychain.read(address) {
            guard !(item.value?.matches(value) ?? false) else { return }
            try context.keychain.update(address, ItemChange(value: value))
        } else {
            try context.keychain.add(KeychainItem(at: address, value: value))
        }
    }
}

extension MigrationState {
    fileprivate static let unavailable = deferred(reason: "protected data is unavailable")
}

extension MigrationReport {
    /// Whether the user must sign in again, because an old store is damaged or unknown.
    ///
    /// - Source: Migration guide, Handling Very Old Versions and Collapse Strategy.
    public var needsFreshLogin: Bool {
        lines.contains { line in
            guard case .failed(.source(let failure)) = line.outcome else {
                if case .failed(.transformation) = line.outcome { return true }
                return false
            }
            return failure.reason == .damaged || failure.reason == .unknownClass
        }
    }

    static let freshLoginAdvice =
        "An old store cannot be read. It is kept as it is; ask the user to sign in again."
}
