import CallerEvidence
import Cryptography
import DataProtection
import Glibc
import KeychainAudit
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts
import Secrets

/// The opening of a daemon's keychains.
struct AccountOpening: Sendable {
    let kind: DaemonKind
    let places: DaemonPlaces
    let environment: ProcessEnvironment
    let companions: CompanionPrograms
    let judge: @Sendable () -> CallerJudge
    /// A system daemon's state across a restart, and its way to unlock accounts without users.
    let continuity: Continuity
    /// Receives the journal's lines about decisions; nil without a journal.
    let journal: AuditLog.Journal?
    /// Called for every log line that is not durable yet.
    let written: @Sendable (AccountLog) -> Bool
    /// Returns the sessions of an account in the foreground.
    let activeSessions: @Sendable (UInt32) -> Set<String>
    let warn: @Sendable (String) -> Void
    /// The most bytes of an account's keychains, including those aside; nil for no limit.
    let byteLimit: Int?
    /// The pool that stretches the passcodes of all accounts.
    let pool = StretchingPool(.ofThisMachine)
    /// The memory limit for the results of all accounts' calls until they are sent.
    let results = ResultBudget()
    /// The memory limit for state that programs of all accounts keep between their calls.
    let kept = KeptBudget()
    let journalShare = JournalShare(.decisions)
    /// The person for each account.
    let persons = Persons()
    let subordinates = SubordinateKeychains()
    /// The logs of keychains that were closed recently.
    let logs = LogShelf()

    /// Opens or creates the keychain of an account.
    ///
    /// - Throws: The error that prevents opening it.
    func open(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        switch kind {
        case .system: try openSystem(account)
        case .user: try openOwn(account)
        }
    }

    /// Opens the keychain that the account's programs would use without a daemon.
    private func openOwn(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        let home =
            if let state = places.state { KeychainHome(directory: state) } else {
                try KeychainHome(environment)
            }
        try HostBehavior.check(environment)
        let settings = try PromptSettings { environment[$0] }
        let reader = try FingerprintReader.reader(
            settings,
            beside: environment.executableDirectory
        )
        let lines = LockLines()
        var terms = try terms(reader, .sharedMemory, of: account)
        terms.locked = lines.locked
        let engine = try EmbeddedKeychain.engine(home, environment, terms)
        let headless = HeadlessUnlock(home: home, environment: environment)
        try headless.unlock(engine)
        return try lines.begin(try keychain(of: account, in: home, engine, reader, headless))
    }

    /// Throws if a subordinate account would get a keychain beyond the limit.
    ///
    /// Call it before anything of its keychain is created.
    ///
    /// - Throws: `errSecDiskFull` with the number.
    func requirePlace(for account: UInt32) throws(KeychainError) {
        let person = persons.person(of: account)
        guard kind == .system, person != account else { return }
        let state = places.state ?? DaemonPlaces.systemState
        try subordinates.require(account, of: person, in: state, persons)
    }

    /// Opens a keychain in the daemon's own directory; its session is not shared with processes.
    private func openSystem(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        let state = places.state ?? DaemonPlaces.systemState
        let home = KeychainHome(directory: "\(state)/\(account)")
        let reader = try FingerprintReader.reader(
            try PromptSettings { environment[$0] },
            beside: environment.executableDirectory,
            of: AccountName.name(of: account)
        )
        let person = persons.person(of: account)
        let sessions = continuity.sessions(of: account)
        let lines = LockLines()
        let share = byteLimit.map { person == account ? $0 : $0 / SubordinateKeychains.limit }
        var terms = try terms(
            reader,
            sessions.map { .kept($0) } ?? .nowhere,
            of: account,
            try room(in: share, beside: AccountPlace(state: state, account: account))
        )
        terms.locked = lines.locked
        let engine = try EmbeddedKeychain.engine(home, environment, terms)
        do throws(KeychainError) {
            try continuity.unlocking.unlock(engine, of: account, in: home)
        } catch {
            warn("the keychain of account \(account) stays locked: \(error.reason)")
        }
        return try lines.begin(try keychain(of: account, in: home, engine, reader, nil))
    }

    /// Returns the bytes for the items, without the size of keychains that moves put aside.
    private func room(
        in byteLimit: Int?,
        beside place: AccountPlace
    ) throws(KeychainError) -> Int? {
        guard let byteLimit else { return nil }
        return max(0, byteLimit - Int(clamping: try place.byteCountAside()))
    }

    /// Opens a copy of a keychain to check it, without unlocking it.
    func openCopy(in home: KeychainHome) throws(KeychainError) -> Engine {
        try EmbeddedKeychain.engine(home, environment, try terms(nil, .nowhere, of: geteuid()))
    }

    /// The memory for one try of a new passcode of a system daemon, in KiB.
    ///
    /// Many accounts may try at a time, so it is small, and more passes make up for it.
    private static let sharedMemoryKiB = Argon2id.Cost.minimum.memoryKiB

    private func terms(
        _ reader: FingerprintReader?,
        _ sessions: EmbeddedKeychain.EngineTerms.Sessions,
        of account: UInt32,
        _ byteLimit: Int? = nil
    ) throws(KeychainError) -> EmbeddedKeychain.EngineTerms {
        var terms = EmbeddedKeychain.EngineTerms(
            sessions: sessions,
            surroundings: {
                reader?.look()
                return Surroundings(reader?.state ?? .absent)
            },
            note: { FindingCollector.current?.note($0) },
            byteLimit: byteLimit
        )
        terms.pool = pool
        terms.results = results
        terms.kept = kept
        terms.person = persons.person(of: account)
        if kind == .system {
            terms.stretchingCost = try UnlockTime.stretchingCost(
                environment,
                memoryKiBLimit: Self.sharedMemoryKiB
            )
        }
        return terms
    }

    /// The milliseconds for which the file of grants, which only the daemon writes, is not checked.
    private static let grantPatience: UInt32 = 100

    private func register(
        of account: UInt32,
        in home: KeychainHome,
        _ engine: Engine
    ) throws(KeychainError) -> AccountRegister {
        let warn = warn
        return AccountRegister(
            engine: engine,
            store: GrantStore(
                storage: try fromStorage(try DirectoryStorage(path: home.directory)),
                key: try engine.derivedKey("grants"),
                patience: Self.grantPatience
            ),
            log: try log(of: account, in: home, try engine.derivedKey("log")),
            judge: judge,
            accountName: AccountName.name(of: account),
            written: written,
            warn: warn
        )
    }

    private func log(
        of account: UInt32,
        in home: KeychainHome,
        _ key: SharedSecret
    ) throws(KeychainError) -> AccountLog {
        if let known = logs.take(account, under: key) { return known }
        return AccountLog(
            try AuditLog(
                directory: home.directory + "/log",
                key: key,
                journal: journal(of: account),
                note: warn
            ),
            of: account
        )
    }

    /// Returns a function that adds the account to the journal's lines, which are of all accounts.
    private func journal(of account: UInt32) -> AuditLog.Journal? {
        guard let journal else { return nil }
        let person = persons.person(of: account)
        return { [journalShare] text in
            journalShare.pass("account \(account) \(text)", of: person, to: journal)
        }
    }

    private func keychain(
        of account: UInt32,
        in home: KeychainHome,
        _ engine: Engine,
        _ reader: FingerprintReader?,
        _ headless: HeadlessUnlock?
    ) throws(KeychainError) -> AccountKeychain {
        let activeSessions = activeSessions
        return AccountKeychain(
            account: account,
            engine: engine,
            prompts: PromptBroker(
                companions: companions,
                reader: reader,
                activeSessions: { activeSessions(account) },
                warn: warn
            ),
            register: try register(of: account, in: home, engine),
            headless: headless
        )
    }
}
