import Foundation

/// One step of a migration: what leads to a version.
public struct MigrationStep: Sendable {
    /// The version once every value of the step has arrived.
    public let version: Int
    /// What reports call it.
    public let name: String
    /// What it does, in this order.
    public let operations: [any MigrationOperation]

    /// A step to a version, 1 or more.
    public init(to version: Int, _ name: String, _ operations: [any MigrationOperation]) {
        self.version = version
        self.name = name
        self.operations = operations
    }
}

/// How a migration ended.
public enum MigrationState: Codable, Hashable, Sendable {
    /// There was nothing to do.
    case upToDate
    /// Every step up to the newest version is done.
    case migrated(from: Int, to: Int)
    /// Nothing is lost and nothing concluded; the next run goes on from here.
    case deferred(reason: String)
    /// A step is incomplete; what failed is still in its old store.
    case failed(MigrationFailure)
    /// A dry run: these steps would run.
    case planned(from: Int, to: Int)
}

/// Why a migration failed.
public enum MigrationFailure: Error, Codable, Hashable, Sendable {
    /// Some values of a step did not arrive; the report names them.
    case incomplete(step: String)
    /// What is stored as the version is none.
    case unreadableVersion
    /// A newer program has migrated further already.
    case newerVersion(Int)
    /// The version or the date could not be read or written.
    case keychain(KeychainFailure)
}

/// How a migration ended, and what became of each value.
public struct MigrationResult: Codable, Hashable, Sendable {
    /// How it ended.
    public let state: MigrationState
    /// What became of each value.
    public let report: MigrationReport
}

/// Steps from any version to the newest, each run once, in order.
///
/// The version is an item in the keychain: unlike defaults it tells a reinstalled program what its
/// items look like. It advances after each step of which every value has arrived.
/// - Source: Migration guide, Versioned Migration with Schema Tracking.
public struct MigrationChain: Sendable {
    /// The steps, by version.
    public let steps: [MigrationStep]
    /// What moves values.
    public let mover: Mover
    /// Whether old stores can be believed.
    public let protectedData: any ProtectedData
    /// Where the version is kept.
    public let versionAddress: ItemAddress
    /// Where the date of the migration is kept.
    public let dateAddress: ItemAddress

    /// A chain for a program, whose items are named after a service.
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

    /// The newest version.
    public var newestVersion: Int { steps.last?.version ?? 0 }

    /// Runs every missing step, or says which would run.
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

    /// Waits for protected data, then runs every missing step, once.
    public func runWhenAvailable(
        now: @Sendable () -> Date = { Date() },
        execution: MigrationContext.Execution = .foreground
    ) async throws(CancellationError) -> MigrationResult {
        try await protectedData.wait()
        return await run(now: now(), execution: execution)
    }

    /// The version that is stored; 0 without one, nil for what is none.
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

    /// Runs a step; returns why the chain stops here, if it does.
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
        // What was found empty while the device was being locked may not be empty.
        let foundNothing = done.lines.contains { $0.outcome == .nothingThere }
        if foundNothing, await !chain.protectedData.isAvailable() { return .unavailable }
        guard !context.isDryRun else { return nil }
        // The date comes first: a version without a date would never be cleaned up after.
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
    /// Whether an old store is damaged or unknown, so that its secrets have to be entered anew.
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
