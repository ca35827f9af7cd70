import CallerEvidence
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets

/// The parts of a daemon, connected with each other.
final class DaemonParts: Sendable {
    let policies: PolicyBook
    let keychains: AccountKeychains
    let rules: DaemonService.Rules
    private let threads: LockThreads?
    private let keeper: LogKeepers?
    private let continuity: Continuity
    private let housekeeper: Housekeeper?
    /// The person for each account.
    let persons: Persons

    init(
        _ options: DaemonOptions,
        _ places: DaemonPlaces,
        _ environment: ProcessEnvironment,
        _ output: DaemonOutput
    ) {
        let isSystem = options.kind == .system
        let note: @Sendable (String) -> Void = { text in output.write(.notice, text) }
        let warn: @Sendable (String) -> Void = { text in output.write(.warning, text) }
        let journal: @Sendable (String) -> Void = { text in output.write(.info, text) }
        let companions: CompanionPrograms =
            isSystem ? .verified : .beside(environment.executableDirectory)
        let known = KnownLater()
        let continuity = Continuity(options.kind, environment)
        let policies = PolicyBook(options, places.policies, report: warn)
        let opening = AccountOpening(
            kind: options.kind,
            places: places,
            environment: isSystem ? Self.ownWords(environment) : environment,
            companions: companions,
            judge: { policies.judge },
            continuity: continuity,
            journal: output.hasJournal ? journal : nil,
            written: { log in
                guard let keeper = known.parts?.keeper else { return false }
                keeper.note(log)
                return true
            },
            activeSessions: { known.parts?.locks.activeSessions(of: $0) ?? [] },
            warn: note,
            byteLimit: isSystem ? options.accountMebibytes << 20 : nil
        )
        let keychains = AccountKeychains(
            shelf: opening.logs,
            warmed: { known.parts?.housekeeper?.keychainWarmed() }
        ) { account throws(KeychainError) in
            try opening.requirePlace(for: account)
            try known.parts?.moves?.prepareOpening(of: account)
            return try opening.open(account)
        }
        let locks = KeychainLocks(
            companions: companions,
            keychains: { keychains.engines },
            note: note,
            locked: { account, why in keychains.opened[account]?.log.append(.lock(why)) }
        )
        let moves = isSystem ? Self.moves(of: keychains, in: places, opening) : nil
        keeper = LogKeepers()
        threads = LockThreads(locks, account: isSystem ? nil : geteuid(), note: note)
        housekeeper = Housekeeper(keychains)
        known.set(KnownParts(locks: locks, moves: moves, keeper: keeper, housekeeper: housekeeper))
        persons = opening.persons
        self.policies = policies
        self.keychains = keychains
        self.continuity = continuity
        let report = Self.report(of: persons, to: output)
        var rules = Self.rules(options, environment, policies, locks, threads, moves, report)
        rules.rest = { [housekeeper] in housekeeper?.rest() }
        self.rules = rules
    }

    /// Returns a function that writes about a refusal within the share of the account's person.
    private static func report(
        of persons: Persons,
        to output: DaemonOutput
    ) -> @Sendable (String, UInt32) -> Void {
        { text, account in output.refusal(text, of: persons.person(of: account)) }
    }

    private static func moves(
        of keychains: AccountKeychains,
        in places: DaemonPlaces,
        _ opening: AccountOpening
    ) -> MoveRequests {
        MoveRequests(
            state: places.state ?? DaemonPlaces.systemState,
            keychains: keychains,
            byteLimit: opening.byteLimit.map(UInt64.init(clamping:)),
            open: { home throws(KeychainError) in try opening.openCopy(in: home) }
        )
    }

    private static func rules(
        _ options: DaemonOptions,
        _ environment: ProcessEnvironment,
        _ policies: PolicyBook,
        _ locks: KeychainLocks,
        _ threads: LockThreads?,
        _ moves: MoveRequests?,
        _ report: @escaping @Sendable (String, UInt32) -> Void
    ) -> DaemonService.Rules {
        var rules = DaemonService.Rules(
            kind: options.kind,
            ownAccount: geteuid(),
            profiles: EmbeddedKeychain.profiles(in: environment),
            judge: { evidence in policies.judged(evidence) },
            admit: { request, caller throws(KeychainError) in
                try locks.requireUnlockedScreen(for: request, from: caller)
            },
            report: report
        )
        rules.deviceChanged = { threads?.deviceChanged() }
        rules.moves = moves
        return rules
    }

    /// Returns the variables of a system daemon's environment that apply to keychains in general.
    private static func ownWords(_ environment: ProcessEnvironment) -> ProcessEnvironment {
        let names: Set = [
            "KEYCHAIN_SECURE_ELEMENT", "KEYCHAIN_BEHAVIOR", "KEYCHAIN_FINGERPRINT",
            UnlockTime.variable,
        ]
        return ProcessEnvironment(
            executable: environment.executable,
            userID: environment.userID,
            variable: { names.contains($0) ? environment[$0] : nil }
        )
    }

    /// Opens the keychains kept across a restart, and starts the threads that lock.
    func start(_ output: DaemonOutput) {
        // Locks apply to a kept session from now on, not only from its first call on.
        let resumed = continuity.resume { account throws(KeychainError) in
            try keychains.keychain(of: account).engine
        }
        if rules.kind == .system { output.write(.info, resumed) }
        guard threads?.start() != true else { return }
        output.write(.warning, "no thread can be started that locks by time, sleep or logout")
    }

    /// Ends the threads, wipes every key and closes the logs.
    func end() {
        threads?.end()
        keeper?.end()
        housekeeper?.end()
        keychains.end()
    }
}

/// Parts that others need once all exist.
private struct KnownParts: Sendable {
    let locks: KeychainLocks
    let moves: MoveRequests?
    let keeper: LogKeepers?
    let housekeeper: Housekeeper?
}

private final class KnownLater: Sendable {
    private let known = AdaptiveMutex<KnownParts?>(nil)

    var parts: KnownParts? { known.withLock { $0 } }

    func set(_ parts: KnownParts) { known.withLock { $0 = parts } }
}
