import CallerEvidence
import Glibc
import KeychainAudit
import KeychainMessages
import KeychainModel

/// What the log says of a call: who, what, where and the outcome; no name and no value.
///
/// - Source: Documentation/Spec/log.md §2.
struct CallRecord: Sendable {
    private let facts: Facts?
    private let caller: JudgedCaller
    private let log: any DecisionLog

    /// What a call is about.
    private struct Facts: Sendable {
        let verb: String
        var itemClass = ""
        var group = ""
        var digest: [UInt8] = []
        /// What a search names; its digest is computed when its line is written.
        var searched: NamedItem?
        /// Whether the call changes nothing.
        var isSearch = false
        /// Whether only a refusal is worth a line.
        var isForRefusals = false
    }

    init(_ request: Request, of caller: JudgedCaller, in log: any DecisionLog) {
        facts = Self.facts(of: request, in: log)
        self.caller = caller
        self.log = log
    }

    /// Writes the line of a call that is over.
    func write(_ error: KeychainError?) {
        guard let facts else { return }
        let status = error?.status ?? .success
        if facts.isForRefusals, status != .missingEntitlement { return }
        let line = LogLine(
            time: Int64(Glibc.time(nil)),
            program: caller.name,
            level: caller.level,
            verb: facts.verb,
            itemClass: facts.itemClass,
            group: facts.group,
            itemDigest: facts.digest,
            status: status.rawValue,
            rule: rule(facts.group, status)
        )
        // A change or a refusal is written before its reply.
        if facts.isSearch, status == .success || status == .itemNotFound {
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

    /// What gave the program its right to the group that it named.
    private func rule(_ group: String, _ status: SecurityStatus) -> String {
        guard status != .missingEntitlement else { return "no-right" }
        guard !group.isEmpty else { return "" }
        let entitlements = caller.entitlements
        if group == entitlements.applicationIdentifier {
            return group.hasPrefix("path:") ? "path" : "policy"
        }
        return entitlements.keychainAccessGroups.contains(group) ? "policy" : "grant"
    }

    /// nil for what decides nothing: a look at the state, the end of a context, a next portion.
    private static func facts(of request: Request, in log: any DecisionLog) -> Facts? {
        switch request {
        case .items(let request): return facts(of: request, in: log)
        case .elementKey(.make(let dictionary, _, _)):
            return facts("make-key", dictionary, in: log, isAdd: true)
        case .elementKey(.use): return Facts(verb: "use-key", itemClass: "keys")
        case .authenticate(.evaluate): return Facts(verb: "authenticate")
        case .device(.lock): return Facts(verb: "lock")
        case .device(.unlock): return Facts(verb: "unlock")
        case .device(.setPasscode): return Facts(verb: "set-passcode")
        case .device(.removePasscode): return Facts(verb: "remove-passcode")
        case .device(.setLockSettings): return Facts(verb: "set-lock-settings")
        case .maintenance(.begin(let work)): return Facts(verb: work.verb)
        case .maintenance(.acceptRows): return Facts(verb: "accept-rows")
        case .fileKeys(let request): return facts(of: request)
        case .synchronization(let request): return facts(of: request)
        case .elementKey(.check), .authenticate(.canEvaluate), .authenticate(.biometryStatus),
            .authenticate(.end), .device(.status), .maintenance(.next), .maintenance(.give),
            .maintenance(.stop), .maintenance(.programGroup):
            return nil
        }
    }

    /// nil for a look at whether an open file may still be used, which happens at each of its uses.
    private static func facts(of request: FileKeyRequest) -> Facts? {
        switch request {
        case .make(_, _, let group): return Facts(verb: "make-file", group: group ?? "")
        case .open(let key):
            return Facts(verb: "open-file", group: key.group, isSearch: true)
        case .move(let key, _): return Facts(verb: "move-file", group: key.group)
        case .check: return nil
        }
    }

    private static func facts(of request: SynchronizationRequest) -> Facts {
        switch request {
        case .read(nil, _), .contents: Facts(verb: "sync-read")
        case .mark, .read, .records: Facts(verb: "sync-read", isForRefusals: true)
        case .verify: Facts(verb: "sync-verify", isForRefusals: true)
        case .apply(let items, _): Facts(verb: "sync-apply", isForRefusals: items.isEmpty)
        case .forget: Facts(verb: "sync-forget")
        }
    }

    private static func facts(of request: ItemRequest, in log: any DecisionLog) -> Facts {
        switch request {
        case .add(let dictionary): facts("add", dictionary, in: log, isAdd: true)
        case .addAll(let dictionaries, _): facts("add", dictionaries.first ?? [:], in: log)
        case .copyMatching(let dictionary): search("find", dictionary)
        case .update(let dictionary, _): facts("update", dictionary, in: log)
        case .delete(let dictionary): facts("delete", dictionary, in: log)
        case .list(let dictionary): search("list", dictionary)
        case .replaceAccessControl(let dictionary, _, _):
            facts("set-access-control", dictionary, in: log)
        }
    }

    private static func facts(
        _ verb: String,
        _ dictionary: AttributeDictionary,
        in log: any DecisionLog,
        isAdd: Bool = false
    ) -> Facts {
        var (facts, itemClass) = facts(verb, dictionary)
        if let itemClass { facts.digest = log.itemDigest(itemClass, dictionary, isAdd: isAdd) }
        return facts
    }

    private static func search(_ verb: String, _ dictionary: AttributeDictionary) -> Facts {
        var (facts, itemClass) = facts(verb, dictionary)
        facts.isSearch = true
        facts.searched = itemClass.map { NamedItem($0, dictionary) }
        return facts
    }

    private static func facts(
        _ verb: String,
        _ dictionary: AttributeDictionary
    ) -> (Facts, ItemClass?) {
        var facts = Facts(verb: verb)
        if case .string(let group)? = dictionary[.accessGroup] { facts.group = group }
        guard case .string(let word)? = dictionary[QueryKey.itemClass.rawValue],
            let itemClass = ItemClass(rawValue: word)
        else { return (facts, nil) }
        facts.itemClass = word
        return (facts, itemClass)
    }
}

extension MaintenanceWork {
    fileprivate var verb: String {
        switch self {
        case .backup: "backup"
        case .restore: "restore"
        case .check: "check"
        case .passcodeLosses: "passcode-losses"
        }
    }
}

extension LogLine {
    /// The line of a lock that no program asked for.
    static func lock(_ why: String) -> LogLine {
        LogLine(
            time: Int64(Glibc.time(nil)),
            program: "keychaind",
            level: .verified,
            verb: "lock",
            status: 0,
            rule: why
        )
    }

    /// The line of something that a program did to the daemon itself.
    static func deed(
        _ verb: String,
        _ group: String,
        of caller: JudgedCaller,
        _ status: SecurityStatus
    ) -> LogLine {
        LogLine(
            time: Int64(Glibc.time(nil)),
            program: caller.name,
            level: caller.level,
            verb: verb,
            group: group,
            status: status.rawValue
        )
    }
}
