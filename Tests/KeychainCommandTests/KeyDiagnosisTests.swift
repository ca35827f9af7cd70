import KeychainHost
import KeychainMessages
import KeychainModel
import Testing

@testable import KeychainCommand

private let tag = AttributeValue.data(Array("com.example.sign".utf8))
private let hash = AttributeValue.data(Array(1...20))
private let privateEC: [Attribute: AttributeValue] = [
    .applicationTag: tag, .keyClass: .number(1), .type: .number(73), .applicationLabel: hash,
    .label: .string("signer"),
]

private func key(_ more: [Attribute: AttributeValue] = [:]) -> KnownItem {
    KnownItem(.key, privateEC.merging(more) { $1 })
}

private func certificate(_ hash: AttributeValue?) -> KnownItem {
    var attributes: [Attribute: AttributeValue] = [.label: .string("server")]
    attributes[.publicKeyHash] = hash
    return KnownItem(.certificate, attributes)
}

extension Branch {
    /// A question about a key, a certificate or an identity.
    private static func about(
        _ itemClass: ItemClass,
        _ name: String,
        _ status: SecurityStatus,
        _ cause: Diagnosis.Cause,
        _ text: String,
        asked: [Attribute: AttributeValue],
        matches: [KnownItem] = [],
        all: [KnownItem] = []
    ) -> Branch {
        Branch(name, status, cause, text) {
            $0.itemClass = itemClass
            ($0.asked, $0.matches, $0.all) = (asked, matches, all)
        }
    }

    static let more = ofKeys + ofCertificates + ofIdentities + ofNothing

    private static func stored(_ service: String, _ account: String) -> KnownItem {
        KnownItem(
            .genericPassword,
            [.service: .string(service), .account: .string(account)]
        )
    }

    private static let ofNothing: [Branch] = [
        Branch("a misspelt service", .itemNotFound, .similarName, "example”, not “com.exm") {
            $0.asked = [.service: .string("com.exmaple"), .account: .string("me")]
            $0.all = [stored("com.other", "me"), stored("com.example", "me")]
        },
        Branch("a misspelt account", .itemNotFound, .similarName, "is “ada.b”, not “ada.c”.") {
            $0.asked = [.service: .string("mail"), .account: .string("ada.c")]
            $0.all = [stored("mail", "bob"), stored("mail", "ada.b")]
        },
        Branch("a misspelt service of others", .itemNotFound, .similarName, "account is “bob”") {
            $0.asked = [.service: .string("com.exmaple"), .account: .string("me")]
            $0.all = [stored("com.example", "bob")]
        },
        Branch("a short name that differs", .itemNotFound, .nothingAlike, "none that is similar") {
            $0.asked = [.service: .string("me")]
            $0.all = [stored("my", "ada")]
        },
        Branch("no passcode, for its class", .itemNotFound, .nothingAlike, "disappears with the") {
            $0.isPasscodeSet = false
            let protection = ProtectionClass.whenPasscodeSetThisDeviceOnly
            $0.asked[.accessible] = .string(protection.code)
        },
        Branch("no passcode, for another class", .itemNotFound, .nothingAlike, "is similar.") {
            $0.isPasscodeSet = false
        },
        Branch("no keychain, for groups", .missingEntitlement, .noKeychain, "the group TEAM.x") {
            $0.absentDirectory = "/new"
            $0.asked[.accessGroup] = .string("TEAM.x")
        },
        Branch("no keychain", .itemNotFound, .noKeychain, "/new does not exist") {
            $0.absentDirectory = "/new"
        },
        Branch("no keychain, and a wrong query", .param, .contradiction, "exclude each other") {
            $0.absentDirectory = "/new"
            $0.control = AccessControl(protection: .whenUnlocked, flags: .userPresence)
            $0.asked[.accessible] = .string(ProtectionClass.whenUnlocked.code)
        },
    ]

    private static let ofKeys: [Branch] = [
        about(
            .key,
            "the other half",
            .itemNotFound,
            .otherKeyClass,
            "of another class",
            asked: [.applicationTag: tag, .keyClass: .number(0)],
            all: [key()]
        ),
        about(
            .key,
            "another type",
            .itemNotFound,
            .otherKeyType,
            "of another type",
            asked: [.applicationTag: tag, .type: .number(42)],
            all: [key()]
        ),
        about(
            .key,
            "a tag that is a label",
            .itemNotFound,
            .labelForTag,
            "as its label",
            asked: [.applicationTag: .data(Array("signer".utf8))],
            all: [key()]
        ),
        about(
            .key,
            "a label that is a tag",
            .itemNotFound,
            .tagForLabel,
            "as its application tag",
            asked: [.label: .string("com.example.sign")],
            all: [key()]
        ),
        about(
            .key,
            "a tag in other letters",
            .itemNotFound,
            .otherSpelling,
            "letter case",
            asked: [.applicationTag: .data(Array("com.example.Sign".utf8))],
            all: [key()]
        ),
        about(
            .key,
            "a tag that is text in one place",
            .itemNotFound,
            .found,
            "sees it",
            asked: [.applicationTag: tag],
            matches: [key([.applicationTag: .string("com.example.sign")])]
        ),
        about(
            .key,
            "a certificate's label",
            .itemNotFound,
            .otherClass,
            "but a certificate",
            asked: [.label: .string("server")],
            all: [certificate(hash)]
        ),
        about(
            .key,
            "a second key",
            .duplicateItem,
            .duplicate,
            "application tag",
            asked: [.applicationTag: tag],
            matches: [key()]
        ),
        about(
            .key,
            "a key without type",
            .param,
            .contradiction,
            "needs kSecAttrKeyType",
            asked: [.applicationTag: tag]
        ),
    ]

    private static let ofCertificates: [Branch] = [
        about(
            .certificate,
            "a key's label",
            .itemNotFound,
            .otherClass,
            "but a key",
            asked: [.label: .string("signer")],
            all: [key()]
        ),
        about(
            .certificate,
            "a tag",
            .param,
            .contradiction,
            "has no application tag",
            asked: [.applicationTag: tag]
        ),
    ]

    private static let ofIdentities: [Branch] = [
        about(
            .identity,
            "no private key",
            .itemNotFound,
            .identityWithoutKey,
            "no private key",
            asked: [.label: .string("server")],
            all: [certificate(hash)]
        ),
        about(
            .identity,
            "the public key only",
            .itemNotFound,
            .identityWithoutKey,
            "no private key",
            asked: [.label: .string("server")],
            all: [certificate(hash), key([.keyClass: .number(0)])]
        ),
        about(
            .identity,
            "another private key",
            .itemNotFound,
            .identityWithoutKey,
            "no private key",
            asked: [:],
            all: [certificate(hash), key([.applicationLabel: .data([1])])]
        ),
        about(
            .identity,
            "a certificate as bytes",
            .itemNotFound,
            .certificateWithoutHash,
            "added as kSecValueData",
            asked: [:],
            all: [certificate(nil), key()]
        ),
        about(
            .identity,
            "no certificate",
            .itemNotFound,
            .identityWithoutCertificate,
            "the label of its certificate",
            asked: [.label: .string("signer")],
            all: [key()]
        ),
        about(
            .identity,
            "a locked key",
            .itemNotFound,
            .hiddenByLock,
            "1 other item is locked",
            asked: [.label: .string("server")],
            all: [certificate(hash), KnownItem(.key, [:], .lockState)]
        ),
        about(
            .identity,
            "attributes of one",
            .param,
            .contradiction,
            "from attributes",
            asked: [.label: .string("server")]
        ),
        about(
            .identity,
            "nothing",
            .itemNotFound,
            .nothingAlike,
            "none that is similar",
            asked: [:]
        ),
    ]
}

@Suite(.requirement("DOC-08")) struct `A sentence of a diagnosis` {
    private func conclusion(
        _ status: SecurityStatus,
        _ change: @escaping @Sendable (inout DiagnosisFacts) -> Void
    ) -> String {
        Branch("", status, .nothingAlike, "", change).diagnosis.conclusion
    }

    @Test func `speaks of the passcode only where the class needs one`() {
        let words = conclusion(.itemNotFound) { $0.isPasscodeSet = false }
        #expect(!words.contains("WhenPasscodeSet"))
    }

    @Test func `about groups does not speak of items, although there is no keychain`() {
        let words = conclusion(.missingEntitlement) { $0.absentDirectory = "/new" }
        #expect(!words.contains("item"))
        #expect(words.contains("access group"))
    }
}

/// A command line on a keychain with two halves of a key, and what it says.
private struct Question: CustomTestStringConvertible, Sendable {
    let words: String
    let text: String
    var testDescription: String { words }

    static let all = [
        Question(words: "-25300 --tag sign --key-type rsa", text: "of another type"),
        Question(words: "-25300 --tag none --key-class symmetric", text: "none that is similar"),
        Question(words: "-25300 --tag sign", text: "is not the reason: a String and a Data"),
        Question(words: "-25300 --tag sign --key-class public", text: "public EC key"),
        Question(words: "-25300 --class key -l sign", text: "Search by kSecAttrApplicationTag"),
        Question(words: "-25300 --class identity", text: "no certificate is"),
        Question(words: "-25299 --tag sign --key-class private", text: "Use the stored item"),
        Question(words: "-25300 --class certificate -l signer", text: "but a key of that name"),
        Question(words: "-25308", text: "(-25308): The device is locked, or the call needs"),
    ]
}

@Suite(.requirement("DOC-08")) struct `The command explain, for a key` {
    private func run(_ words: String, on endpoint: any Endpoint) -> (Int32, String) {
        let terminal = TestTerminal(input: [])
        let words = ["keychainctl"] + words.split(separator: " ").map(String.init)
        let status = TestKeychain.run(words, on: endpoint, terminal)
        return (status, terminal.outputText)
    }

    @Test(arguments: Question.all)
    fileprivate func `names the cause`(question: Question) throws {
        let endpoint = try TestKeychain.endpoint()
        let made = run("create-keypair -a ec --tag sign signer", on: endpoint)
        try #require(made.0 == 0)
        let (status, text) = run("explain " + question.words, on: endpoint)
        #expect(status == 0)
        #expect(text.contains(question.text), "\(text)")
    }

    @Test(arguments: [
        "--tag sign -s mail", "--class password", "--key-class both", "--key-type dsa",
        "--class key --server mail",
    ])
    func `refuses a wrong command line`(words: String) throws {
        #expect(run("explain -25300 " + words, on: try TestKeychain.endpoint()).0 == 2)
    }
}

@Suite struct `An item in a sentence` {
    @Test(arguments: [
        (ItemClass.key, "private EC key, label signer, tag com.example.sign"),
        (.identity, "identity, label signer, tag com.example.sign"),
    ])
    func `has the class of a key`(itemClass: ItemClass, words: String) {
        #expect(KnownItem(itemClass, privateEC).words == words)
    }
}

@Suite(.requirement("DOC-08")) struct `The command explain, without a keychain` {
    @Test(arguments: ["-25300", "-25308", "-25299", "-34018", "-25293", "-128", "-25291"])
    func `makes none`(status: String) throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let home = scratch.path + "/home"
        let variables = [
            "KEYCHAIN_HOME": home, "KEYCHAIN_UNLOCK_TIME": "0", "XDG_RUNTIME_DIR": scratch.path,
            "KEYCHAIN_SOCKET": "",
        ]
        let terminal = TestTerminal(input: [])
        let environment = ProcessEnvironment(executable: "/usr/bin/program") { variables[$0] }
        let context = CommandContext(
            program: "keychainctl",
            terminal: terminal,
            environment: environment,
            absentDirectory: { RequestRouter.absentDirectory(in: environment) },
            connect: { () throws(KeychainError) in
                Issue.record("explain opened the keychain")
                throw KeychainError(.notAvailable, "not here")
            }
        )
        let command = try CommandTable.command(named: "explain")
        let arguments = try ArgumentParser(command).parse([status, "-s", "mail"])
        try ExplainStatus.run(arguments, context)
        #expect(terminal.outputText.contains("There is no keychain yet"))
        #expect(terminal.outputText.contains(home))
        #expect(terminal.outputText.contains("none, because there is no keychain"))
        #expect(try scratch.names.isEmpty)
    }
}
