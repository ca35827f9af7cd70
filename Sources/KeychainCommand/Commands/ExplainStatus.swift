import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts

/// `explain`.
enum ExplainStatus {
    /// ★ Table: the values of `--class`.
    fileprivate static let classes: [(word: String, itemClass: ItemClass)] = [
        ("key", .key), ("certificate", .certificate), ("identity", .identity),
    ]

    /// The values of `--class`.
    static var classNames: [String] { classes.map(\.word) }

    /// Explains a status for one item: collects the facts, and writes the decision tree's
    /// conclusion.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard let status = ErrorLookup.status(arguments.operands[0]) else {
            throw .usage("give a status, as a number such as -25308 or a name such as errSecParam")
        }
        let diagnosis = DiagnosisTree(try facts(status, arguments, context)).diagnosis
        try context.print(
            arguments.has(.json) ? json(diagnosis, status).page : page(diagnosis, status)
        )
    }

    private static func facts(
        _ status: SecurityStatus,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> DiagnosisFacts {
        let question = try Question(arguments)
        var facts = DiagnosisFacts(status, question, prompts(context))
        // Opening a keychain would create a missing one, and an explanation changes nothing.
        facts.absentDirectory = context.absentDirectory()
        guard facts.absentDirectory == nil else { return facts }
        do throws(CommandFailure) {
            try facts.complete(from: context)
        } catch {
            facts.failure = error.refusal
        }
        return facts
    }

    private static func prompts(_ context: CommandContext) -> PromptMeans {
        let environment = context.environment
        let settings = try? PromptSettings { environment[$0] }
        return settings?.means() ?? .forbidden
    }

    private static func page(_ diagnosis: Diagnosis, _ status: SecurityStatus) -> Page {
        let name = SecurityStatus.name(of: status) ?? "status"
        let meaning = SecurityStatus.message(of: status) ?? "No status has this code."
        var page = Page(line: "\(name) (\(status.rawValue)): \(meaning)")
        page.append(raw: "\n")
        page.append(TextTable.page(diagnosis.facts.map { [$0.subject, $0.text] }))
        page.append(raw: "\n")
        page.append(line: diagnosis.conclusion)
        for action in diagnosis.actions { page.append(line: "→ " + action) }
        return page
    }

    private static func json(_ diagnosis: Diagnosis, _ status: SecurityStatus) -> JSONValue {
        .object([
            "status": .number(Int64(status.rawValue)),
            "name": SecurityStatus.name(of: status).map(JSONValue.text) ?? .null,
            "cause": .text(diagnosis.cause.rawValue),
            "facts": .list(
                diagnosis.facts.map { fact in
                    .object(["subject": .text(fact.subject), "text": .text(fact.text)])
                }
            ),
            "conclusion": .text(diagnosis.conclusion),
            "actions": .list(diagnosis.actions.map(JSONValue.text)),
            "items": .list(diagnosis.items.map(json)),
        ])
    }

    private static func json(_ item: KnownItem) -> JSONValue {
        var values = ItemDictionary()
        for (attribute, value) in item.attributes { values.attributes[attribute] = value }
        var members = ItemJSON.object(values, item.itemClass)
        members["outOfReach"] = item.obstacle.map { .text($0.rawValue) } ?? .null
        return .object(members)
    }
}

/// The item that the options describe.
private struct Question {
    let itemClass: ItemClass
    var attributes: [Attribute: AttributeValue] = [:]
    let control: AccessControl?

    init(_ arguments: Arguments) throws(CommandFailure) {
        itemClass = try Self.itemClass(arguments)
        let protection = try arguments.protection()
        control = try arguments.demands(
            with: protection ?? QueryParser.defaultProtection(of: itemClass)
        )
        for (name, value) in try arguments.attributes(of: OptionTable.explain).values {
            attributes[Attribute(rawValue: name)] = value
        }
        if let name = try arguments.choice(.keyClass, "--key-class", of: KeyTypeName.classNames) {
            attributes[.keyClass] = KeyTypeName.keyClass(named: name).map(AttributeValue.number)
        }
        if let name = try arguments.choice(.algorithm, "--key-type", of: KeyTypeName.typeNames) {
            attributes[.type] = KeyTypeName.type(named: name).map(AttributeValue.number)
        }
    }

    private static func itemClass(_ arguments: Arguments) throws(CommandFailure) -> ItemClass {
        let isInternet = OptionTable.explainInternet.contains { arguments.has($0.name) }
        let ofKeys = OptionTable.explainKeys.filter { arguments.has($0.name) }
        guard !ofKeys.isEmpty else {
            if isInternet, arguments.has(.service) {
                throw .usage("name a service (-s) or a server (--server), not both")
            }
            return isInternet ? .internetPassword : .genericPassword
        }
        let ofPasswords: [CommandOption.Name] = [.account, .service, .generic]
        guard !isInternet, !ofPasswords.contains(where: arguments.has) else {
            throw .usage("\(ofKeys[0].spellings[0]) is not about a password")
        }
        let word = try arguments.choice(.itemClass, "--class", of: ExplainStatus.classNames)
        return ExplainStatus.classes.first { $0.word == word }?.itemClass ?? .key
    }
}

extension DiagnosisFacts {
    /// Collects the facts that need no keychain.
    fileprivate init(_ status: SecurityStatus, _ question: Question, _ prompts: PromptMeans) {
        self.init(
            status: status,
            itemClass: question.itemClass,
            asked: question.attributes,
            control: question.control,
            lockState: .locked,
            isPasscodeSet: true,
            failedAttempts: 0,
            delaySeconds: 0,
            groups: [],
            endpoint: .embedded,
            prompts: prompts,
            matches: [],
            all: []
        )
    }

    /// Adds the facts from the keychain.
    ///
    /// Reads attributes only, no secrets.
    fileprivate mutating func complete(from context: CommandContext) throws(CommandFailure) {
        let status = try context.status()
        lockState = status.lockState
        isPasscodeSet = status.isPasscodeSet
        failedAttempts = status.failedAttempts
        delaySeconds = status.delaySeconds
        groups = status.accessGroups
        defaultGroup = status.defaultAccessGroup
        endpoint = try context.connected().endpointDescription.kind
        if [.itemNotFound, .missingEntitlement].contains(self.status) {
            groupCounts = groupCounts(context)
        }
        guard namesItem, !groups.isEmpty else { return }
        matches =
            itemClass == .identity
            ? try identities(context) : try items(of: itemClass, where: keyFilter, context)
        guard [.itemNotFound, .interactionNotAllowed, .duplicateItem].contains(self.status) else {
            return
        }
        let classes: [ItemClass] =
            itemClass.isPassword ? [.genericPassword, .internetPassword] : [.certificate, .key]
        for itemClass in classes { all += try items(of: itemClass, where: [:], context) }
    }

    /// A filter with the given attributes of the primary key, or with any given attribute if none
    /// is.
    private var keyFilter: AttributeDictionary {
        let key = Self.keyAttributes(of: itemClass)
        let places: Set<Attribute> = [.accessGroup, .accessible, .synchronizable]
        let named = asked.filter {
            !places.contains($0.key) && Schema.spec($0.key, in: itemClass) != nil
        }
        let chosen = named.filter { key.contains($0.key) }
        var filter: AttributeDictionary = [:]
        for (attribute, value) in chosen.isEmpty ? named : chosen { filter[attribute] = value }
        return filter
    }

    /// Returns the matching identities, without those that the lock state or an access control
    /// hides.
    private func identities(_ context: CommandContext) throws(CommandFailure) -> [KnownItem] {
        var reach = OutOfReach()
        let found = try context.identities(
            where: keyFilter.askingNobody,
            returning: [],
            &reach
        )
        return found.map { item in
            let values = item.attributes.map { ($0.key, $0.value) }
            return KnownItem(.identity, Dictionary(uniqueKeysWithValues: values))
        }
    }

    /// Returns the items that match a filter, locked ones too; each states if it is synchronizable.
    private func items(
        of itemClass: ItemClass,
        where filter: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) -> [KnownItem] {
        var items: [KnownItem] = []
        for isSynchronizable in [false, true] {
            var filter = filter
            filter[.synchronizable] = .bool(isSynchronizable)
            let listing = try context.listing(of: itemClass, where: filter, returning: [])
            let readable = listing.items.map { ($0.attributes, OutOfReachItem.Obstacle?.none) }
            let closed = listing.outOfReach.map { ($0.attributes, Optional($0.obstacle)) }
            for (values, obstacle) in readable + closed {
                var attributes = Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
                attributes[.synchronizable] = .number(isSynchronizable ? 1 : 0)
                items.append(KnownItem(itemClass, attributes, obstacle))
            }
        }
        return items
    }

    private func groupCounts(_ context: CommandContext) -> [String: Int]? {
        guard let endpoint = try? context.connected() else { return nil }
        let report = try? endpoint.check(
            .database,
            naming: { _ in },
            noting: { _ in },
            progress: { _ in }
        )
        return report?.groupCounts
    }
}
