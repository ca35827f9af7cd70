import CallerEvidence
import KeychainAudit
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServer
import Synchronization

/// The keychain of one account, and what a daemon keeps beside it.
package final class AccountKeychain: Sendable {
    /// The account's number.
    package let account: UInt32
    package let engine: Engine
    /// Who shows the account's prompts.
    package let prompts: any AccountPrompts
    /// Who has which rights, beyond policies.
    package let rights: any AccountRights
    /// Where decisions are written down.
    package let log: any DecisionLog
    /// How it is unlocked without a person; nil where the daemon's own environment does not count.
    package let headless: HeadlessUnlock?

    /// The grants and the log; nil where a test has none.
    let register: AccountRegister?

    /// Whether it had the records of a circle when somebody looked.
    let hasCircle = Mark()
    /// Whether it was closed: another one may have taken its place.
    let hasEnded = Mark()
    /// Held while lock settings are compared and set.
    let settingsTurn = Mutex<Void>(())

    package init(
        account: UInt32,
        engine: Engine,
        prompts: any AccountPrompts,
        register: AccountRegister,
        headless: HeadlessUnlock? = nil
    ) {
        self.account = account
        self.engine = engine
        self.prompts = prompts
        self.rights = register
        self.log = register
        self.register = register
        self.headless = headless
    }

    /// A keychain whose rights and log are elsewhere.
    package init(
        account: UInt32,
        engine: Engine,
        prompts: any AccountPrompts,
        rights: any AccountRights,
        log: any DecisionLog,
        headless: HeadlessUnlock? = nil
    ) {
        self.register = nil
        self.account = account
        self.engine = engine
        self.prompts = prompts
        self.rights = rights
        self.log = log
        self.headless = headless
    }

    /// Whether closing it and opening it again changes nothing.
    var isClosable: Bool { engine.isClosable && !prompts.hasAgent }

    /// Wipes every key, for good, and makes the log durable.
    func end() {
        hasEnded.set()
        engine.end()
        register?.close()
    }

    /// The error of a call that came too late.
    static let closed = KeychainError(.notAvailable, "the keychain was closed meanwhile; try again")

    /// Tells a call of a closed keychain to come again.
    ///
    /// The engine knows only that it ended, and not that another one may have its place.
    func explaining(_ error: KeychainError) -> KeychainError {
        error.status == .notAvailable && hasEnded.isSet ? Self.closed : error
    }

    /// Wipes every key, for good, and leaves the log to whoever opens the keychain next.
    func end(leavingLogOn shelf: LogShelf) {
        hasEnded.set()
        engine.end()
        if let register { shelf.put(register.log, of: account) }
    }

    /// Writes a line about the delay that wrong passcodes have brought.
    func noteDelay(after error: KeychainError) {
        guard error.status == .authFailed, let delay = try? engine.passcodeDelay(), delay > .zero
        else { return }
        let seconds = Int64(delay / .seconds(1)) + 1
        log.append(.ofDaemon("delay", "too many wrong passcodes: the next one in \(seconds) s"))
    }
}

/// Something that is so, or not.
final class Mark: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }

    func clear() { value.store(false, ordering: .sequentiallyConsistent) }

    /// Sets it so, and returns how it was.
    func exchange(_ new: Bool) -> Bool { value.exchange(new, ordering: .sequentiallyConsistent) }
}

/// Who shows the prompts of an account.
package protocol AccountPrompts: Sendable {
    /// A prompter for the calls of one program.
    ///
    /// - Parameters:
    ///   - caller: The program, as the prompt names it.
    ///   - client: Prompts at the program itself; nil if it cannot.
    ///   - isAlive: Whether the program still waits.
    /// - Returns: The prompter.
    func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)?,
        isAlive: @escaping @Sendable () -> Bool
    ) -> any Prompter

    /// Whether a program shows the prompts of the account.
    var hasAgent: Bool { get }

    /// Has a program show the prompts of the account.
    func agent(
        _ caller: JudgedCaller,
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration
}

extension AccountPrompts {
    package var hasAgent: Bool { false }
}

/// What programs may use beyond what policies give them.
package protocol AccountRights: Sendable {
    /// The rights of a program, grants among them; asked in every call.
    ///
    /// Grants that cannot be read count for nobody.
    func entitlements(of caller: JudgedCaller) -> Entitlements

    /// Whether programs of the account may show prompts at all.
    var canPrompt: Bool { get }

    /// Answers what is about grants or the log.
    func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply
}

extension AccountRights {
    package var canPrompt: Bool { true }
}

/// Where the decisions of an account are written down.
package protocol DecisionLog: Sendable {
    /// Writes a line; never fails, never waits for a disk.
    func append(_ line: LogLine)

    /// Takes a line that may be written a few milliseconds later.
    func appendSoon(_ line: LogLine, naming item: NamedItem?)

    /// A keyed digest of the primary key that a call names; empty where it names none.
    func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8]
}

extension DecisionLog {
    package func appendSoon(_ line: LogLine, naming item: NamedItem?) {
        var whole = line
        if let item { whole.itemDigest = itemDigest(item.itemClass, item.dictionary, isAdd: false) }
        append(whole)
    }
}
