import CallerEvidence
import KeychainAudit
import KeychainEngine
import KeychainMessages
import KeychainModel

/// A daemon's data beside an account's keychain: grants, and the log.
///
/// - Source: Documentation/Spec/grants.md; Documentation/Spec/log.md.
package final class AccountRegister: AccountRights, DecisionLog {
    /// The most log lines in a reply.
    private static let lineLimit = 1000

    private let engine: Engine
    private let store: GrantStore
    let log: AccountLog
    private let judge: @Sendable () -> CallerJudge
    private let accountName: String?
    private let written: @Sendable (AccountLog) -> Bool
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - engine: The account's keychain.
    ///   - store: Its grants.
    ///   - log: Its log.
    ///   - judge: Decides which programs a grant applies to.
    ///   - accountName: The account's name.
    ///   - written: Called for every line that is not durable yet; returns whether a thread will
    ///     write waiting lines.
    ///   - warn: Receives a sentence for the daemon's log.
    package init(
        engine: Engine,
        store: GrantStore,
        log: AccountLog,
        judge: @escaping @Sendable () -> CallerJudge,
        accountName: String?,
        written: @escaping @Sendable (AccountLog) -> Bool,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.engine = engine
        self.store = store
        self.log = log
        self.judge = judge
        self.accountName = accountName
        self.written = written
        self.warn = warn
    }

    package func entitlements(of caller: JudgedCaller) -> Entitlements {
        let grants: [AccessGrant]
        do throws(KeychainError) { grants = try store.grants } catch {
            // Unreadable grants count for no program.
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
        case .grants, .grant, .revoke:
            return try GrantRequests.perform(request, on: store, of: engine)
        case .log(let position):
            let found = try audit.lines(after: position, limit: Self.lineLimit)
            return .log(found.lines, next: found.next)
        case .verifyLog: return .logVerdict(try audit.verify())
        case .describeCaller, .simulate, .move:
            throw KeychainError(.param, "the request is not about an account")
        }
    }

    package func append(_ line: LogLine) {
        audit.append(line)
        _ = written(log)
    }

    package func appendSoon(_ line: LogLine, naming item: NamedItem?) {
        audit.appendSoon(line, naming: item)
        if !written(log) { audit.writeWaiting() }
    }

    package func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8] {
        audit.itemDigest(itemClass, dictionary, isAdd: isAdd)
    }

    package func close() { audit.close() }

    private var audit: AuditLog { log.audit }
}
