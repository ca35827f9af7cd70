import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts
import Testing

@testable import KeychainCommand

private typealias Attributes = [Attribute: AttributeValue]

/// A branch of a diagnosis tree: the facts that lead there, the cause, and a part of the sentence.
struct Branch: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: SecurityStatus
    let cause: Diagnosis.Cause
    let text: String
    let change: @Sendable (inout DiagnosisFacts) -> Void

    init(
        _ name: String,
        _ status: SecurityStatus,
        _ cause: Diagnosis.Cause,
        _ text: String,
        _ change: @escaping @Sendable (inout DiagnosisFacts) -> Void = { _ in }
    ) {
        testDescription = name
        self.status = status
        self.cause = cause
        self.text = text
        self.change = change
    }

    var diagnosis: Diagnosis {
        var facts = DiagnosisFacts(
            status: status,
            itemClass: .genericPassword,
            asked: mail,
            control: nil,
            lockState: .unlocked,
            isPasscodeSet: true,
            failedAttempts: 0,
            delaySeconds: 0,
            groups: ["TEAM.mail"],
            defaultGroup: "TEAM.mail",
            groupCounts: [:],
            endpoint: .embedded,
            prompts: .terminal,
            matches: [],
            all: [],
            failure: nil
        )
        change(&facts)
        facts.all += facts.matches
        return DiagnosisTree(facts).diagnosis
    }
}

private let mail: Attributes = [.account: .string("ada"), .service: .string("mail")]

/// An item as a listing tells it.
private func item(
    _ protection: ProtectionClass = .whenUnlocked,
    group: String = "TEAM.mail",
    flags: AccessControl.Flags = [],
    with more: Attributes = [:]
) -> KnownItem {
    var attributes = mail
    attributes[.accessGroup] = .string(group)
    attributes[.accessible] = .string(protection.code)
    attributes[.synchronizable] = .number(0)
    if !flags.isEmpty {
        attributes[.accessControl] = .accessControl(
            AccessControl(protection: protection, flags: flags)
        )
    }
    return KnownItem(
        .genericPassword,
        attributes.merging(more) { $1 },
        flags.isEmpty ? nil : .accessControl
    )
}

/// An item of a locked class.
private func closed(_ protection: ProtectionClass) -> KnownItem {
    KnownItem(
        .genericPassword,
        [.accessGroup: .string("TEAM.mail"), .accessible: .string(protection.code)],
        .lockState
    )
}

private let interaction: [Branch] = [
    Branch("before first unlock", .interactionNotAllowed, .notUnlockedSinceStart, "is After") {
        $0.lockState = .beforeFirstUnlock
        $0.matches = [closed(.afterFirstUnlock)]
    },
    Branch("while locked", .interactionNotAllowed, .locked, "group TEAM.mail and is WhenUnl") {
        $0.lockState = .locked
        $0.matches = [closed(.whenUnlocked)]
    },
    Branch("gated without a terminal", .interactionNotAllowed, .promptImpossible, "nothing here") {
        $0.prompts = .none
        $0.matches = [item(flags: .userPresence)]
    },
    Branch("gated and forbidden", .interactionNotAllowed, .promptImpossible, "nothing here") {
        $0.prompts = .forbidden
        $0.matches = [item(flags: .userPresence)]
    },
    Branch("gated at a terminal", .interactionNotAllowed, .promptNeeded, "in the background") {
        $0.matches = [item(flags: .userPresence)]
    },
    Branch("open by now", .interactionNotAllowed, .readable, "opens now") {
        $0.lockState = .locked
        $0.matches = [item(.afterFirstUnlock)]
    },
    Branch("no such item", .interactionNotAllowed, .nothingAlike, "now returns -25300"),
    Branch("no item named, locked", .interactionNotAllowed, .lockState, "every WhenUnlocked") {
        $0.asked = [:]
        $0.lockState = .locked
    },
    Branch("no item named, unlocked", .interactionNotAllowed, .itemNotNamed, "unlocked") {
        $0.asked = [:]
    },
    Branch("no keychain", .interactionNotAllowed, .unavailable, "does not open") {
        $0.failure = KeychainError(.notAvailable, "gone")
    },
]

private let duplicate: [Branch] = [
    Branch("the same item", .duplicateItem, .duplicate, "account, service") {
        $0.matches = [item()]
    },
    Branch("other accessibility", .duplicateItem, .duplicateWithOtherAttributes, "not After") {
        $0.asked[.accessible] = .string(ProtectionClass.afterFirstUnlock.code)
        $0.matches = [item()]
    },
    Branch("other label", .duplicateItem, .duplicateWithOtherAttributes, "label is not set") {
        $0.asked[.label] = .string("Mail")
        $0.matches = [item()]
    },
    Branch("a locked one", .duplicateItem, .duplicate, "has the primary key") {
        $0.lockState = .locked
        $0.matches = [closed(.whenUnlocked)]
    },
    Branch("no account", .duplicateItem, .incompleteKey, "account is missing") {
        $0.asked[.account] = nil
        $0.matches = [item()]
    },
    Branch("only in another group", .duplicateItem, .noDuplicate, "differ in them") {
        $0.matches = [item(group: "TEAM.other")]
    },
    Branch("only synchronizable", .duplicateItem, .noDuplicate, "differ in them") {
        $0.matches = [item(with: [.synchronizable: .number(1)])]
    },
    Branch("none", .duplicateItem, .noDuplicate, "would succeed"),
    Branch("no item named", .duplicateItem, .itemNotNamed, "primary key") { $0.asked = [:] },
]

private let notFound: [Branch] = [
    Branch("it is there", .itemNotFound, .found, "sees it") { $0.matches = [item()] },
    Branch("it is gated", .itemNotFound, .found, "UISkip") {
        $0.matches = [item(flags: .userPresence)]
    },
    Branch("it is synchronizable", .itemNotFound, .synchronizableOnly, "finds only items") {
        $0.matches = [item(with: [.synchronizable: .number(1)])]
    },
    Branch("it is not synchronizable", .itemNotFound, .localOnly, "not synchronizable") {
        $0.asked[.synchronizable] = .bool(true)
        $0.matches = [item()]
    },
    Branch("another accessibility", .itemNotFound, .otherAttributes, "is WhenUnlocked, not") {
        $0.asked[.accessible] = .string(ProtectionClass.always.code)
        $0.matches = [item()]
    },
    Branch("another group", .itemNotFound, .otherGroup, "in the group TEAM.mail") {
        $0.asked[.accessGroup] = .string("TEAM.shared")
        $0.matches = [item()]
    },
    Branch("another class", .itemNotFound, .otherClass, "but an internet password") {
        $0.all = [
            KnownItem(
                .internetPassword,
                [.account: .string("ada"), .server: .string("mail")]
            )
        ]
    },
    Branch("another spelling", .itemNotFound, .otherSpelling, "letter case") {
        $0.all = [item(with: [.service: .string("Mail ")])]
    },
    Branch("another account", .itemNotFound, .otherAccount, "none for this account") {
        $0.all = [item(with: [.account: .string("bob")])]
    },
    Branch("hidden by the lock", .itemNotFound, .hiddenByLock, "1 other item is locked") {
        $0.lockState = .locked
        $0.all = [closed(.whenUnlocked)]
    },
    Branch("groups that it cannot see", .itemNotFound, .foreignItems, "TEAM.x (2 items)") {
        $0.groupCounts = ["TEAM.mail": 1, "TEAM.x": 2]
    },
    Branch("no item named", .itemNotFound, .itemNotNamed, "No item matches") { $0.asked = [:] },
]

private let rights: [Branch] = [
    Branch("no group at all", .missingEntitlement, .noGroups, "every call returns") {
        $0.groups = []
    },
    Branch("a search without any group", .itemNotFound, .noGroups, "sees no item") {
        $0.groups = []
    },
    Branch("a foreign group", .missingEntitlement, .foreignGroup, "It has 1 item. This") {
        $0.asked[.accessGroup] = .string("TEAM.x")
        $0.groupCounts = ["TEAM.x": 1]
    },
    Branch("its own group", .missingEntitlement, .ownGroup, "other groups") {
        $0.asked[.accessGroup] = .string("TEAM.mail")
    },
    Branch("a group of a wildcard", .missingEntitlement, .ownGroup, "other groups") {
        $0.groups = ["TEAM.*"]
        $0.asked[.accessGroup] = .string("TEAM.mail")
    },
    Branch("the tokens' group", .missingEntitlement, .readOnlyGroup, "tokens") {
        $0.asked[.accessGroup] = .string(Entitlements.tokenGroup)
    },
    Branch("no group named", .missingEntitlement, .itemNotNamed, "has TEAM.mail"),
    Branch("gated and synchronizable", .param, .contradiction, "cannot be synchronizable") {
        $0.control = AccessControl(protection: .whenUnlocked, flags: .userPresence)
        $0.asked[.synchronizable] = .bool(true)
    },
    Branch("synchronizable on one device", .param, .contradiction, "ThisDeviceOnly") {
        $0.asked[.synchronizable] = .bool(true)
        $0.asked[.accessible] = .string(ProtectionClass.whenUnlockedThisDeviceOnly.code)
    },
    Branch("both", .param, .contradiction, "exclude each other") {
        $0.control = AccessControl(protection: .whenUnlocked, flags: .userPresence)
        $0.asked[.accessible] = .string(ProtectionClass.whenUnlocked.code)
    },
    Branch("a valid query", .param, .noTree, "is valid"),
]

private let others: [Branch] = [
    Branch("a delay", .authFailed, .attemptsDelayed, "for 60 s") { $0.delaySeconds = 59.5 },
    Branch("the passcode is gone", .authFailed, .passcodeMissing, "nothing opens") {
        $0.isPasscodeSet = false
        $0.matches = [item(flags: .devicePasscode)]
    },
    Branch("a class without passcode", .authFailed, .passcodeMissing, "none is set") {
        $0.isPasscodeSet = false
        $0.asked[.accessible] = .string(ProtectionClass.whenPasscodeSetThisDeviceOnly.code)
    },
    Branch("a changed enrolment", .authFailed, .proofFailed, "after a change") {
        $0.matches = [item(flags: .biometryCurrentSet)]
    },
    Branch("a wrong proof", .authFailed, .proofFailed, "wrong or missing") {
        $0.matches = [item(flags: .userPresence)]
    },
    Branch("no such item", .authFailed, .itemNotNamed, "wrong, or is not set"),
    Branch("a cancel", .userCanceled, .canceled, "that the item requires") {
        $0.matches = [item(flags: .userPresence)]
    },
    Branch("it answers again", .notAvailable, .available, "answers now"),
    Branch("it does not open", .notAvailable, .unavailable, "errSecNotAvailable") {
        $0.failure = KeychainError(.notAvailable, "gone")
    },
    Branch("another status", .decode, .noTree, "no advice"),
]

private let all = interaction + duplicate + notFound + rights + others + Branch.more

@Suite(.requirement("DOC-08")) struct `A diagnosis tree` {
    @Test func `of a locked duplicate advises to unlock first`() {
        let branch = Branch("locked", .duplicateItem, .duplicate, "") {
            ($0.lockState, $0.matches) = (.locked, [item(.whenUnlocked)])
        }
        #expect(branch.diagnosis.actions.first == "Unlock it: keychainctl unlock-keychain")
    }

    @Test func `of a keychain that does not open knows no lock state`() {
        let branch = Branch("closed", .notAvailable, .unavailable, "") {
            $0.failure = KeychainError(.notAvailable, "no daemon answers")
        }
        #expect(branch.diagnosis.facts.contains { $0.text.hasPrefix("unknown, because") })
    }

    @Test(arguments: all)
    fileprivate func `names the cause, and what to do`(branch: Branch) {
        let diagnosis = branch.diagnosis
        #expect(diagnosis.cause == branch.cause)
        #expect(diagnosis.conclusion.contains(branch.text), "\(diagnosis.conclusion)")
        #expect(diagnosis.cause == .readable || !diagnosis.actions.isEmpty)
    }

    @Test func `has a branch for each cause`() {
        #expect(Set(all.map(\.cause)) == Set(Diagnosis.Cause.allCases))
    }

    @Test(arguments: [
        (PromptMeans.none, "headless"), (.forbidden, "KEYCHAIN_PROMPT=none"), (.terminal, "this"),
    ])
    func `tells lock state, context and groups`(prompts: PromptMeans, word: String) {
        let branch = Branch("", .itemNotFound, .found, "") {
            $0.prompts = prompts
            $0.matches = [item(flags: .userPresence)]
        }
        let facts = branch.diagnosis.facts
        #expect(
            facts.map(\.subject) == ["asked for", "lock state", "context", "groups", "found"]
        )
        #expect(facts[2].text.contains(word))
        #expect(facts[4].text.contains("access control WhenUnlocked userPresence"))
    }

    @Test func `points a daemon's programs to grants`() {
        let branch = Branch("", .missingEntitlement, .foreignGroup, "") {
            $0.endpoint = .systemDaemon
            $0.asked[.accessGroup] = .string("TEAM.x")
        }
        #expect(branch.diagnosis.actions[0].contains("keychainctl access grant"))
    }
}

/// A command line on a live keychain, and what it says.
private struct Question: CustomTestStringConvertible, Sendable {
    let words: String
    let text: String
    var testDescription: String { words }

    static let all = [
        Question(words: "-25300 -s mail -a ADA", text: "letter case"),
        Question(words: "-25300 --server mail -a ada", text: "but a generic password"),
        Question(words: "-25299 -s mail -a ada --accessible Always", text: "is WhenUnlocked, not"),
        Question(words: "-25308 -s bank -a ada", text: "requires a prompt"),
        Question(words: "-34018 --access-group other", text: "which this program does not have"),
        Question(words: "errSecItemNotFound -s sync -a ada", text: "kSecAttrSynchronizable "),
    ]

    static let locked = [
        Question(words: "-25308 -s mail -a ada", text: "group TEAM.mail and is WhenUnlocked"),
        Question(words: "-25299 -s mail -a ada", text: "has the primary key already"),
        Question(words: "-25300 -s none -a ada", text: "locked and cannot be compared"),
        Question(words: "-25308", text: "The keychain is locked"),
    ]
}

@Suite(.requirement("DOC-08")) struct `The command explain` {
    private func keychain() throws -> any Endpoint {
        let endpoint = try TestKeychain.endpoint()
        let steps = [
            "passcode set", "add-generic-password -s mail -a ada",
            "add-generic-password -s bank -a ada --require userPresence",
            "add-generic-password -s sync -a ada --synchronizable",
        ]
        for step in steps {
            try #require(run(step, on: endpoint, input: "1234\n").status == 0)
        }
        return endpoint
    }

    private func run(
        _ words: String,
        on endpoint: any Endpoint,
        input: String = ""
    ) -> (status: Int32, output: String) {
        let terminal = TestTerminal(input: Array(input.utf8))
        let words = ["keychainctl"] + words.split(separator: " ").map(String.init)
        let status = TestKeychain.run(words, on: endpoint, terminal)
        return (status, terminal.outputText)
    }

    @Test(arguments: Question.all)
    fileprivate func `explains a status for an item of the keychain`(question: Question) throws {
        let found = run("explain " + question.words, on: try keychain())
        #expect(found.status == 0)
        #expect(found.output.contains(question.text), "\(found.output)")
        #expect(!found.output.contains("1234"))
    }

    @Test(arguments: Question.locked)
    fileprivate func `explains it while the keychain is locked`(question: Question) throws {
        let endpoint = try keychain()
        try #require(run("lock-keychain", on: endpoint).status == 0)
        let found = run("explain " + question.words, on: endpoint)
        #expect(found.status == 0)
        #expect(found.output.contains(question.text), "\(found.output)")
    }

    @Test func `writes the same as JSON`() throws {
        let found = run("explain -25308 -s bank -a ada --json", on: try keychain())
        #expect(found.output.contains("\"name\": \"errSecInteractionNotAllowed\""))
        #expect(found.output.contains("\"cause\": \"prompt-"))
        #expect(found.output.contains("\"accessControl\": \"WhenUnlocked userPresence\""))
    }

    @Test(arguments: ["explain", "explain soon", "explain -25300 -s mail --server mail"])
    func `refuses a wrong command line`(words: String) throws {
        #expect(run(words, on: try keychain()).status == 2)
    }
}
