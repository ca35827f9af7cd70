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

/// Opens the keychains of a daemon.
struct AccountOpening: Sendable {
    let kind: DaemonKind
    let places: DaemonPlaces
    let environment: ProcessEnvironment
    let companions: CompanionPrograms
    let judge: @Sendable () -> CallerJudge
    /// What a system daemon has across a restart, and for accounts without people.
    let continuity: Continuity
    /// Hears what the journal is told of decisions; nil without a journal.
    let journal: AuditLog.Journal?
    /// Hears of every line of a log that is not durable yet.
    let written: @Sendable (AccountLog) -> Bool
    /// The sessions of an account in the foreground.
    let activeSessions: @Sendable (UInt32) -> Set<String>
    let warn: @Sendable (String) -> Void
    /// How many bytes the keychains of an account may take, those aside among them; nil for as many
    /// as the disk has room for.
    let byteLimit: Int?
    /// Where the passcodes of all accounts are stretched.
    let pool = StretchingPool(.ofThisMachine)
    /// What the calls of all accounts found, until it is on its way.
    let results = ResultBudget()
    /// What the programs of all accounts have it keep between their calls.
    let kept = KeptBudget()
    let journalShare = JournalShare(.decisions)
    /// Who answers for which account.
    let persons = Persons()
    let subordinates = SubordinateKeychains()
    /// The logs of keychains that were closed a while ago.
    let logs = LogShelf()

    /// Opens, or makes, the keychain of an account.
    ///
    /// - Throws: why it cannot be opened.
    func open(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        switch kind {
        case .system: try openSystem(account)
        case .user: try openOwn(account)
        }
    }

    /// The keychain that the account's programs would have without a daemon.
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

    /// Refuses a subordinate account one keychain too many; to be called before anything of its
    /// keychain is made.
    ///
    /// - Throws: `errSecDiskFull` with the number.
    func requirePlace(for account: UInt32) throws(KeychainError) {
        let person = persons.person(of: account)
        guard kind == .system, person != account else { return }
        let state = places.state ?? DaemonPlaces.systemState
        try subordinates.require(account, of: person, in: state, persons)
    }

    /// A keychain in the daemon's own directory; what was unlocked is in this process alone.
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

    /// How many bytes the items may take beside what moves have put aside.
    private func room(
        in byteLimit: Int?,
        beside place: AccountPlace
    ) throws(KeychainError) -> Int? {
        guard let byteLimit else { return nil }
        return max(0, byteLimit - Int(clamping: try place.byteCountAside()))
    }

    /// Opens a copy of a keychain to check it; nothing of it is unlocked.
    func openCopy(in home: KeychainHome) throws(KeychainError) -> Engine {
        try EmbeddedKeychain.engine(home, environment, try terms(nil, .nowhere, of: geteuid()))
    }

    /// How much memory a new passcode of a system daemon takes to try, in KiB: many accounts may
    /// try at a time, and passes make up for what one machine of one person could fill.
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

    /// For how long the file of grants, which the daemon alone writes, is not looked at again.
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

    /// Tells the journal whose decision it was: it has those of all accounts.
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
