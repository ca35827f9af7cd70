import Foundation

/// A check at launch that removes, once, what an earlier installation left in the keychain.
///
/// Items survive the removal of their program, but defaults do not. A program without its flag in
/// the defaults is newly installed, or this is its first version with the check. `isUpgrade`
/// distinguishes the two.
///
/// ```swift
/// let outcome = await FirstLaunchGuard(flags: LaunchFlags()).run()
/// ```
/// - Source: Migration guide, First-Launch Keychain Cleanup.
public struct FirstLaunchGuard: Sendable {
    /// The outcome of the check.
    ///
    /// ```swift
    /// if case .cleaned(let report) = await guardian.run() { print(report) }
    /// ```
    public enum Outcome: Codable, Hashable, Sendable {
        /// The program has launched before.
        case launchedBefore
        /// The program is newly installed; the report names what was removed.
        case cleaned(MigrationReport)
        /// The program is an update of a version without the flag; nothing was removed.
        case upgraded
        /// The check could not decide anything yet, for this reason.
        case deferred(reason: String)
        /// The keychain failed; the next launch tries again.
        case failed(KeychainFailure)
    }

    private let flags: LaunchFlags
    private let keychain: any Keychain
    private let protectedData: any ProtectedData
    private let scope: ItemScope?
    private let preserve: (@Sendable (KeychainItem) -> Bool)?
    private let isUpgrade: @Sendable () -> Bool

    /// Creates a check with its flag in a program's defaults.
    ///
    /// - Parameters:
    ///   - flags: the defaults with the flag.
    ///   - keychain: the keychain to clean.
    ///   - protectedData: the source that reports whether the defaults are readable now.
    ///   - scope: the items to remove; by default all five classes, including synchronizable items.
    ///   - preserve: a rule that keeps single items, such as the version of a migration. With a
    ///     rule, items that need a prompt remain too.
    ///   - isUpgrade: whether an installation without the flag has been used before. By default it
    ///     has if its defaults have any value.
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

    /// Removes old items if this is the first launch, or reports what it would remove.
    ///
    /// Without protected data the outcome is ``Outcome/deferred(reason:)``, because defaults seem
    /// empty before the first unlock.
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

    /// Waits for protected data, then removes old items once if this is the first launch.
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
            // A launch shows no prompt, so a rule for single items cannot examine these.
            let isKept = preserve != nil
            let outcome = isKept ? MoveOutcome.kept("the user was not prompted") : removal(isDryRun)
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

/// The flag of the first launch in a program's defaults.
///
/// ```swift
/// let isNew = !LaunchFlags().hasLaunched
/// ```
public struct LaunchFlags: Sendable {
    private let defaults: SharedDefaults
    private let domain: String?
    private let key: String

    /// Creates flags in defaults; `domain` is their suite, or the bundle identifier for the
    /// standard ones.
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

    /// Whether the domain has other values, which means that the program has been used before.
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
