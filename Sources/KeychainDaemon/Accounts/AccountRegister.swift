import CallerEvidence
import KeychainAudit
import KeychainEngine
import KeychainMessages
import KeychainModel

/// What a daemon keeps beside an account's keychain: grants, and the log.
///
/// - Source: Documentation/Spec/grants.md; Documentation/Spec/log.md.
package final class AccountRegister: AccountRights, DecisionLog {
    /// How many lines of the log a reply has at most.
    private static let lineLimit = 1000

    private let engine: Engine
    private let store: GrantStore
    private let audit: AuditLog
    private let judge: @Sendable () -> CallerJudge
    private let accountName: String?
    private let written: @Sendable () -> Bool
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - engine: The account's keychain.
    ///   - store: Its grants.
    ///   - audit: Its log.
    ///   - judge: Decides for which programs a grant is.
    ///   - accountName: The account's name.
    ///   - written: Hears of every line that is not durable yet, and tells whether a thread will
    ///     write those that wait.
    ///   - warn: Takes a sentence for the daemon's log.
    package init(
        engine: Engine,
        store: GrantStore,
        audit: AuditLog,
        judge: @escaping @Sendable () -> CallerJudge,
        accountName: String?,
        written: @escaping @Sendable () -> Bool,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.engine = engine
        self.store = store
        self.audit = audit
        self.judge = judge
        self.accountName = accountName
        self.written = written
        self.warn = warn
    }

    package func entitlements(of caller: JudgedCaller) -> Entitlements {
        let grants: [AccessGrant]
        do throws(KeychainError) { grants = try store.grants } catch {
            // Nobody gets anything from grants that cannot be read.
            warn(error.reason)
            return caller.entitlements
        }
        guard !grants.isEmpty else { return caller.entitlements }
        return judge().entitlements(of: caller, with: grants, accountName: accountName)
    }

    package func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply {
        switch request {
        case .grants: return try GrantRequests.perform(request, on: store, of: engine)
        case .grant(let grant, _):
            return try recording("grant", grant, of: caller) { () throws(KeychainError) in
                try GrantRequests.perform(request, on: store, of: engine)
            }
        case .revoke(let grant, _):
            return try recording("revoke", grant, of: caller) { () throws(KeychainError) in
                try GrantRequests.perform(request, on: store, of: engine)
            }
        case .log(let position):
            try requireCommand(caller)
            let found = try audit.lines(after: position, limit: Self.lineLimit)
            return .log(found.lines, next: found.next)
        case .verifyLog:
            try requireCommand(caller)
            return .logVerdict(try audit.verify())
        case .describeCaller, .simulate, .move:
            throw KeychainError(.param, "the request is not about an account")
        }
    }

    /// Only the command reads the log: it tells which programs use which groups.
    private func requireCommand(_ caller: JudgedCaller) throws(KeychainError) {
        guard caller.isCommand else { throw .onlyCommand(caller) }
    }

    private func recording(
        _ verb: String,
        _ grant: AccessGrant,
        of caller: JudgedCaller,
        _ body: () throws(KeychainError) -> DaemonReply
    ) throws(KeychainError) -> DaemonReply {
        do throws(KeychainError) {
            let reply = try body()
            append(.deed(verb, grant.group, of: caller, .success))
            return reply
        } catch {
            append(.deed(verb, grant.group, of: caller, error.status))
            throw error
        }
    }

    package func append(_ line: LogLine) {
        audit.append(line)
        _ = written()
    }

    package func appendSoon(_ line: LogLine, naming item: NamedItem?) {
        audit.appendSoon(line, naming: item)
        if !written() { audit.writeWaiting() }
    }

    /// Writes the lines that wait.
    ///
    /// - Returns: Whether there were any.
    func writeWaitingLines() -> Bool { audit.writeWaiting() }

    package func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8] {
        audit.itemDigest(itemClass, dictionary, isAdd: isAdd)
    }

    package func close() { audit.close() }

    /// Makes the lines so far durable.
    func synchronizeLog() { audit.synchronize() }
}

extension JudgedCaller {
    /// The application identifier of `keychainctl`.
    private static let commandIdentifier = "keychain"

    /// That of `keychain-sync`.
    private static let synchronizerIdentifier = "keychain-sync"

    /// Whether it is the command, which may do what other programs may not.
    var isCommand: Bool { entitlements.applicationIdentifier == Self.commandIdentifier }

    /// Whether it keeps the keychain in step with other devices, which nothing else may.
    var isSynchronizer: Bool { entitlements.applicationIdentifier == Self.synchronizerIdentifier }
}

extension KeychainError {
    static func onlyCommand(_ caller: JudgedCaller) -> KeychainError {
        only("keychainctl", caller)
    }

    static func onlySynchronizer(_ caller: JudgedCaller) -> KeychainError {
        only("keychain-sync", caller)
    }

    private static func only(_ program: String, _ caller: JudgedCaller) -> KeychainError {
        let reason =
            "only \(program) may do this, and the daemon takes this program for \(caller.name)"
            + " (\(caller.level.word))"
        return KeychainError(.missingEntitlement, reason)
    }
}
