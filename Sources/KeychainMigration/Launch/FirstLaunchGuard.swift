import Foundation

/// Removes what an earlier installation left in the keychain, once, before anything else runs.
///
/// Items outlive their program while defaults do not: without its flag in the defaults, a program
/// is newly installed. Or it is the first version that has this guard; an upgrade signal tells.
/// - Source: Migration guide, First-Launch Keychain Cleanup.
public struct FirstLaunchGuard: Sendable {
    /// How a launch went.
    public enum Outcome: Codable, Hashable, Sendable {
        /// The program has been launched before.
        case launchedBefore
        /// It is newly installed; this was removed.
        case cleaned(MigrationReport)
        /// It is an update of an installation without a flag; nothing was removed.
        case upgraded
        /// Nothing was concluded, for this reason.
        case deferred(reason: String)
        /// The keychain refused; the next launch tries again.
        case failed(KeychainFailure)
    }

    private let flags: LaunchFlags
    private let keychain: any Keychain
    private let protectedData: any ProtectedData
    private let scope: ItemScope?
    private let preserve: (@Sendable (KeychainItem) -> Bool)?
    private let isUpgrade: @Sendable () -> Bool

    /// A guard that keeps its flag in a program's defaults.
    ///
    /// By default all five classes are emptied, synchronizable items included. A scope limits that;
    /// `preserve` keeps single items, such as the version of a migration, and with it all those
    /// that cannot be seen without asking the user. `isUpgrade` says whether
    /// an installation without a flag has been used before; by default it has if its defaults hold
    /// anything at all.
    public init(
        flags: LaunchFlags,
        keychain: any Keychain = ServicesKeychain(),
        protectedData: any ProtectedData = SystemProtectedData(),
        scope: ItemScope? = nil,
        preserve: (@Sendable (KeychainItem) -> Bool)? = nil,
        isUpgrade: (@Sendable () -> Bool)? = nil
    ) {
        self.flags = flags
        self.keychain = keychain
        self.protectedData = protectedData
        self.scope = scope
        self.preserve = preserve
        self.isUpgrade = isUpgrade ?? { flags.hasOtherValues }
    }

    /// Cleans up if this is the first launch, or says what it would remove.
    ///
    /// Protected data comes first: before the first unlock the defaults seem empty, and their flag
    /// with them.
    public func run(isDryRun: Bool = false) async -> Outcome {
        guard await protectedData.isAvailable() else {
            return .deferred(reason: "protected data is unavailable")
        }
        guard !flags.hasLaunched else { return .launchedBefore }
        guard !isUpgrade() else {
            if !isDryRun { flags.setLaunched() }
            return .upgraded
        }
        do throws(KeychainFailure) {
            let report = try clean(isDryRun: isDryRun)
            if !isDryRun { flags.setLaunched() }
            return .cleaned(report)
        } catch {
            return error.isLocked
                ? .deferred(reason: "the keychain is locked") : .failed(error)
        }
    }

    /// Waits for protected data, then cleans up if this is the first launch, once.
    public func runWhenAvailable() async throws(CancellationError) -> Outcome {
        try await protectedData.wait()
        return await run()
    }

    private func clean(isDryRun: Bool) throws(KeychainFailure) -> MigrationReport {
        let scope = scope ?? ItemScope(kinds: ItemKind.allCases)
        let stored = scope.kinds.filter { $0 != .identity }
        let visible = ItemScope(
            kinds: stored,
            services: scope.services,
            accessGroups: scope.accessGroups
        )
        var report = MigrationReport(isDryRun: isDryRun)
        for item in try keychain.list(visible) {
            let isKept = preserve?(item) ?? false
            if !isKept, !isDryRun, preserve != nil { try keychain.delete(item) }
            let outcome =
                isKept ? MoveOutcome.kept("the preserve rule names it") : removal(isDryRun)
            report.lines.append(line(item.address.description, outcome))
        }
        if try keychain.hasGatedItems(visible) {
            // Nobody is asked at a launch, so a rule for single items cannot see them.
            let isKept = preserve != nil
            let outcome = isKept ? MoveOutcome.kept("nobody was asked") : removal(isDryRun)
            report.lines.append(line("items that need the user", outcome))
        }
        if preserve == nil, !isDryRun { try keychain.deleteAll(scope) }
        return report
    }

    private func removal(_ isDryRun: Bool) -> MoveOutcome {
        isDryRun ? .planned("remove") : .removed
    }

    private func line(_ what: String, _ outcome: MoveOutcome) -> MigrationReport.Line {
        MigrationReport.Line(
            what: what,
            from: "an earlier installation",
            to: "nowhere",
            outcome: outcome
        )
    }
}

/// A program's defaults, as far as launches are concerned.
public struct LaunchFlags: Sendable {
    private let defaults: SharedDefaults
    private let domain: String?
    private let key: String

    /// Flags in defaults; `domain` is their suite or, for the standard ones, the bundle identifier.
    public init(
        _ defaults: UserDefaults = .standard,
        domain: String? = Bundle.main.bundleIdentifier,
        key: String = "keychain-migration.has-launched"
    ) {
        self.defaults = SharedDefaults(defaults)
        self.domain = domain
        self.key = key
    }

    /// Whether the flag is set.
    public var hasLaunched: Bool { defaults.use { $0.bool(forKey: key) } }

    /// Whether the domain holds anything else: then the program has been used before.
    public var hasOtherValues: Bool {
        guard let domain else { return false }
        let values = defaults.use { $0.persistentDomain(forName: domain) } ?? [:]
        return values.keys.contains { $0 != key && !$0.hasPrefix("keychain-migration.") }
    }

    func setLaunched() {
        defaults.use { defaults in
            defaults.set(true, forKey: key)
            _ = defaults.synchronize()
        }
    }

    func text(_ key: String) -> String? { defaults.use { $0.string(forKey: key) } }

    func setText(_ text: String, for key: String) {
        defaults.use { defaults in
            defaults.set(text, forKey: key)
            _ = defaults.synchronize()
        }
    }
}
