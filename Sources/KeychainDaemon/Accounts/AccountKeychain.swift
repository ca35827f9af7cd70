import CallerEvidence
import KeychainAudit
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServer
import Synchronization

/// The keychain of one account, with the daemon's data about it.
package final class AccountKeychain: Sendable {
    /// The account's user ID.
    package let account: UInt32
    package let engine: Engine
    /// The prompts of the account.
    package let prompts: any AccountPrompts
    /// The rights of programs beyond those in policies.
    package let rights: any AccountRights
    /// The log of decisions.
    package let log: any DecisionLog
    /// The way to unlock it without a user; nil if the daemon's own environment does not apply.
    package let headless: HeadlessUnlock?

    /// The grants and the log; nil if a test has none.
    let register: AccountRegister?

    /// Whether it had the records of a circle when it was last checked.
    let hasCircle = Mark()
    /// Whether it was closed, so that another object may have replaced it.
    let hasEnded = Mark()
    /// Held while lock settings are compared and changed.
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

    /// Creates a keychain with other implementations of rights and log.
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

    /// Whether it can be closed and opened again without a difference.
    var isClosable: Bool { engine.isClosable && !prompts.hasAgent }

    /// Wipes every key permanently, and makes the log durable.
    func end() {
        hasEnded.set()
        engine.end()
        register?.close()
    }

    /// The error of a call that came after the keychain was closed.
    static let closed = KeychainError(.notAvailable, "the keychain was closed meanwhile; try again")

    /// Replaces the error of a call to a closed keychain, so that the caller tries again.
    ///
    /// The engine knows only that it ended, and not that another one may have replaced it.
    func explaining(_ error: KeychainError) -> KeychainError {
        error.status == .notAvailable && hasEnded.isSet ? Self.closed : error
    }

    /// Wipes every key permanently, and leaves the log to the next opening of the keychain.
    func end(leavingLogOn shelf: LogShelf) {
        hasEnded.set()
        engine.end()
        if let register { shelf.put(register.log, of: account) }
    }

    /// Logs the delay that wrong passcodes have caused.
    func noteDelay(after error: KeychainError) {
        guard error.status == .authFailed, let delay = try? engine.passcodeDelay(), delay > .zero
        else { return }
        let seconds = Int64(delay / .seconds(1)) + 1
        log.append(.ofDaemon("delay", "too many wrong passcodes: the next one in \(seconds) s"))
    }
}

/// An atomic flag.
final class Mark: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() { value.store(true, ordering: .sequentiallyConsistent) }

    func clear() { value.store(false, ordering: .sequentiallyConsistent) }

    /// Sets the flag, and returns its previous value.
    func exchange(_ new: Bool) -> Bool { value.exchange(new, ordering: .sequentiallyConsistent) }
}

/// The prompts of an account.
package protocol AccountPrompts: Sendable {
    /// Returns a prompter for the calls of one program.
    ///
    /// - Parameters:
    ///   - caller: The program, as the prompt names it.
    ///   - client: Shows prompts in the program itself; nil if it cannot.
    ///   - isAlive: Whether the program still waits.
    /// - Returns: The prompter.
    func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)?,
        isAlive: @escaping @Sendable () -> Bool
    ) -> any Prompter

    /// Whether an agent shows the prompts of the account.
    var hasAgent: Bool { get }

    /// Makes a program show the prompts of the account.
    func agent(
        _ caller: JudgedCaller,
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration
}

extension AccountPrompts {
    package var hasAgent: Bool { false }
}

/// The rights of programs beyond those in policies.
package protocol AccountRights: Sendable {
    /// Returns the rights of a program, including grants; called for every request.
    ///
    /// Unreadable grants count for no program.
    func entitlements(of caller: JudgedCaller) -> Entitlements

    /// Whether programs of the account may show prompts.
    var canPrompt: Bool { get }

    /// Answers a request about grants or the log.
    func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply
}

extension AccountRights {
    package var canPrompt: Bool { true }
}

/// The log of an account's decisions.
package protocol DecisionLog: Sendable {
    /// Appends a line; never fails, and never waits for a disk.
    func append(_ line: LogLine)

    /// Appends a line that may be written a few milliseconds later.
    func appendSoon(_ line: LogLine, naming item: NamedItem?)

    /// Returns a keyed digest of the primary key in a call; empty if the call names none.
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
