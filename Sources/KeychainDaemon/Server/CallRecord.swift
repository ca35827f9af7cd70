import CallerEvidence
import Glibc
import KeychainAudit
import KeychainMessages
import KeychainModel

/// The log line of a call: program, verb, place and outcome; no name and no value.
///
/// - Source: Documentation/Spec/log.md §2.
struct CallRecord: Sendable {
    private let facts: Facts?
    private let caller: JudgedCaller
    private let log: any DecisionLog

    /// The subject of a call.
    fileprivate struct Facts: Sendable {
        let verb: String
        var line: RequestFacts.Line
        var itemClass = ""
        var group = ""
        var digest: [UInt8] = []
        /// The item that a search names; its digest is computed when the line is written.
        var searched: NamedItem?

        init(_ verb: RequestVerb) {
            self.verb = verb.word
            line = verb.facts.line
        }
    }

    init(_ request: Request, of caller: JudgedCaller, in log: any DecisionLog) {
        facts = Self.facts(of: request, in: log)
        self.caller = caller
        self.log = log
    }

    /// Writes the line of a completed call.
    func write(_ error: KeychainError?) {
        guard let facts else { return }
        let status = error?.status ?? .success
        if facts.line == .refusals, status != .missingEntitlement { return }
        let line = LogLine(
            time: Int64(Glibc.time(nil)),
            program: caller.name,
            level: caller.level,
            verb: facts.verb,
            itemClass: facts.itemClass,
            group: facts.group,
            itemDigest: facts.digest,
            status: status.rawValue,
            rule: rule(facts.group, status, isLock: facts.verb == DeviceVerb.lock.rawValue)
        )
        // The line of a change or a refusal is written before its reply.
        if facts.line == .soon, status == .success || status == .itemNotFound {
            log.appendSoon(line, naming: facts.searched)
        } else {
            log.append(facts.searched.map { whole(line, $0) } ?? line)
        }
    }

    private func whole(_ line: LogLine, _ item: NamedItem) -> LogLine {
        var whole = line
        whole.itemDigest = log.itemDigest(item.itemClass, item.dictionary, isAdd: false)
        return whole
    }

    /// Returns the rule that gave the program its right to the group that it named.
    private func rule(
        _ group: String,
        _ status: SecurityStatus,
        isLock: Bool
    ) -> String {
        guard status != .missingEntitlement else { return "no-right" }
        guard !group.isEmpty else { return isLock ? "a program asked for it" : "" }
        let entitlements = caller.entitlements
        if group == entitlements.applicationIdentifier {
            return group.hasPrefix("path:") ? "path" : "policy"
        }
        return entitlements.keychainAccessGroups.contains(group) ? "policy" : "grant"
    }

    /// Returns nil for a request without a decision: reading the state, ending a context, a
    /// portion.
    private static func facts(of request: Request, in log: any DecisionLog) -> Facts? {
        var facts = Facts(request.verb)
        guard facts.line != .never else { return nil }
        switch request {
        case .items(let request): facts.describe(request, in: log)
        case .elementKey(.make(let dictionary, _, _)):
            facts.describe(dictionary, in: log, isAdd: true)
        case .elementKey: facts.itemClass = "keys"
        case .fileKeys(.make(_, _, let group)): facts.group = group ?? ""
        case .fileKeys(.open(let key)), .fileKeys(.move(let key, _)), .fileKeys(.check(let key)):
            facts.group = key.group
        // Only requests that begin or change something get a line.
        case .synchronization(.read(.some, _)): facts.line = .refusals
        case .synchronization(.apply(let items, _)) where items.isEmpty: facts.line = .refusals
        case .synchronization, .authenticate, .device, .maintenance: break
        }
        return facts
    }
}

extension CallRecord.Facts {
    fileprivate mutating func describe(_ request: ItemRequest, in log: any DecisionLog) {
        switch request {
        case .add(let dictionary): describe(dictionary, in: log, isAdd: true)
        case .addAll(let dictionaries, _): describe(dictionaries.first ?? [:], in: log)
        case .copyMatching(let dictionary), .list(let dictionary):
            searched = describe(dictionary).map { NamedItem($0, dictionary) }
        case .update(let dictionary, _), .delete(let dictionary),
            .replaceAccessControl(let dictionary, _, _):
            describe(dictionary, in: log)
        }
    }

    fileprivate mutating func describe(
        _ dictionary: AttributeDictionary,
        in log: any DecisionLog,
        isAdd: Bool = false
    ) {
        guard let itemClass = describe(dictionary) else { return }
        digest = log.itemDigest(itemClass, dictionary, isAdd: isAdd)
    }

    /// Takes the group and the class that a call names.
    private mutating func describe(_ dictionary: AttributeDictionary) -> ItemClass? {
        if case .string(let group)? = dictionary[.accessGroup] { self.group = group }
        guard case .string(let word)? = dictionary[QueryKey.itemClass.rawValue],
            let itemClass = ItemClass(rawValue: word)
        else { return nil }
        self.itemClass = word
        return itemClass
    }
}

/// The log line of a request to the daemon itself.
struct DeedRecord: Sendable {
    private let verb: RequestVerb
    private let group: String
    private let caller: JudgedCaller

    init(_ request: DaemonRequest, of caller: JudgedCaller) {
        switch request {
        case .grant(let grant, _), .revoke(let grant, _):
            self.init(request.verb, grant.group, of: caller)
        case .describeCaller, .grants, .log, .verifyLog, .move, .simulate:
            self.init(request.verb, of: caller)
        }
    }

    init(_ verb: RequestVerb, _ group: String = "", of caller: JudgedCaller) {
        self.verb = verb
        self.group = group
        self.caller = caller
    }

    /// Writes the line of a completed request, if the account has a log now.
    func write(_ error: KeychainError?, to log: (any DecisionLog)?) {
        let status = error?.status ?? .success
        switch verb.facts.line {
        case .never: return
        case .refusals: guard status == .missingEntitlement else { return }
        case .always, .soon: break
        }
        log?.append(
            LogLine(
                time: Int64(Glibc.time(nil)),
                program: caller.name,
                level: caller.level,
                verb: verb.word,
                group: group,
                status: status.rawValue
            )
        )
    }
}

extension LogLine {
    /// Returns the line of a lock that no program requested.
    static func lock(_ why: String) -> LogLine { ofDaemon("lock", why) }

    /// Returns the line of an action of the daemon itself, with its reason.
    static func ofDaemon(_ verb: String, _ why: String) -> LogLine {
        LogLine(
            time: Int64(Glibc.time(nil)),
            program: "keychaind",
            level: .verified,
            verb: verb,
            status: 0,
            rule: why
        )
    }
}
