import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainCommand

/// A person who types the passcode, or cancels.
private struct Person: Prompter {
    let cancels: Bool

    func answer(_ prompt: Prompt, while isWanted: @escaping @Sendable () -> Bool) -> PromptAnswer {
        answer(prompt)
    }

    func answer(_ prompt: Prompt) -> PromptAnswer {
        cancels ? .canceled : .typed(SharedSecret(Secret(copying: Array("1234".utf8))))
    }
}

/// A command, what it shows all the same, and how it names what it cannot show.
private struct Listing: CustomTestStringConvertible, Sendable {
    let words: String
    let shown: [String]
    let named: [String]

    var testDescription: String { words }

    init(_ words: String, shows shown: String..., names named: String...) {
        self.words = words
        self.shown = shown
        self.named = named
    }

    static let bank =
        "out of reach: genp (label bank, account ALICE, service bank, accessGroup TEAM.mail"
    static let site =
        "out of reach: inet (label b.example, account dave, server b.example, accessGroup TEAM.mail"

    static let guarded = [
        Listing("dump-keychain", shows: "\"mail\"", "\"a.example\"", names: bank, site),
        Listing("dump-keychain -d", shows: "open-bob", "open-carol", names: bank, site),
        Listing("dump-keychain --table", shows: "BOB", "carol", names: bank, site),
        Listing(
            "dump-keychain --json",
            shows: "\"outOfReach\": \"accessControl\"",
            "\"account\": \"BOB\"",
            "\"account\": \"ALICE\"",
            names: bank,
            site
        ),
        Listing(
            "netrc",
            shows: "machine a.example login carol password open-carol\n",
            names: site
        ),
    ]

    static let closed = [
        Listing(
            "dump-keychain",
            shows: "\"sync\"",
            names: "2 items out of reach: inet (accessGroup TEAM.mail, accessible WhenUnlocked)"
        ),
        Listing(
            "dump-keychain --json",
            shows: "\"outOfReach\": \"lockState\"",
            "\"service\": \"sync\"",
            names: "3 items out of reach: genp (accessGroup TEAM.mail, accessible WhenUnlocked)"
        ),
        Listing("search sync", shows: "EVE", names: "2 items out of reach: inet (accessGroup"),
        Listing("search BOB", names: "3 items out of reach: genp (accessGroup TEAM.mail"),
        Listing(
            "find-identity",
            shows: "0 identities found",
            names: "out of reach: cert (label Alice Example"
        ),
        Listing("export -t all -p", shows: "BEGIN CERTIFICATE", names: "out of reach: keys ("),
    ]
}

@Suite struct `An item out of reach` {
    private static let secrets = ["gated-alice", "gated-dave"]

    /// Two items behind an access control, three beside them, one of which outlives a lock.
    private func keychain(prompter: (any Prompter)? = nil) throws -> any Endpoint {
        let endpoint = try TestKeychain.endpoint(prompter: prompter)
        let generic = ["add-generic-password", "-a"]
        let internet = ["add-internet-password", "-r", "htps", "-a"]
        let steps: [(words: [String], input: String)] = [
            (["passcode", "set"], "1234"),
            (generic + ["ALICE", "-s", "bank", "--require", "userPresence"], "gated-alice"),
            (generic + ["BOB", "-s", "mail"], "open-bob"),
            (generic + ["ERIN", "-s", "shop"], "open-erin"),
            (generic + ["EVE", "-s", "sync", "--accessible", "AfterFirstUnlock"], "open-eve"),
            (internet + ["dave", "-s", "b.example", "--require", "devicePasscode"], "gated-dave"),
            (internet + ["carol", "-s", "a.example"], "open-carol"),
        ]
        for (words, input) in steps {
            let terminal = TestTerminal(input: Array((input + "\n").utf8))
            let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
            try #require(status == 0, "\(words): \(terminal.diagnosticsText)")
        }
        return endpoint
    }

    private func run(
        _ words: String,
        on endpoint: any Endpoint,
        input: String = "",
        launch: @escaping ProgramLaunch.Execute = { _ in }
    ) -> (status: Int32, output: String, diagnostics: String) {
        let terminal = TestTerminal(input: Array(input.utf8))
        let words = ["keychainctl"] + words.split(separator: " ").map(String.init)
        let status = TestKeychain.run(words, on: endpoint, terminal, launch: launch)
        return (status, terminal.outputText, terminal.diagnosticsText)
    }

    @Test(.requirement("USE-06"), arguments: Listing.guarded)
    fileprivate func `behind an access control hides nothing else`(listing: Listing) throws {
        let found = run(listing.words, on: try keychain())
        #expect(found.status == 36)
        #expect(listing.shown.filter { !found.output.contains($0) } == [], "\(found.output)")
        #expect(listing.named.filter { !found.diagnostics.contains($0) } == [], "\(found)")
        let all = found.output + found.diagnostics
        #expect(Self.secrets.allSatisfy { !all.contains($0) })
        let last = found.diagnostics.split(separator: "\n").last ?? ""
        #expect(last.contains("out of reach; every other item was written"), "\(last)")
    }

    @Test(.requirement("USE-06"), arguments: Listing.closed)
    fileprivate func `of a locked class hides nothing else`(listing: Listing) throws {
        let endpoint = try keychain()
        let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
        for file in ["leaf.pem", "leaf-sec1.pem"] {
            let words = "import /\(folder)/Fixtures/\(file)"
            try #require(run(words, on: endpoint).status == 0)
        }
        try #require(run("lock-keychain", on: endpoint).status == 0)
        let found = run(listing.words, on: endpoint)
        #expect(found.status == 36)
        #expect(listing.shown.filter { !found.output.contains($0) } == [], "\(found.output)")
        #expect(listing.named.filter { !found.diagnostics.contains($0) } == [], "\(found)")
    }

    @Test(.requirement("USE-06"))
    func `is asked for alone where a person is there and secrets are wanted`() throws {
        let endpoint = try keychain(prompter: Person(cancels: false))
        let dump = run("dump-keychain -d", on: endpoint)
        #expect(dump.status == 0, "\(dump.diagnostics)")
        #expect(Self.secrets.allSatisfy(dump.output.contains))
        let netrc = run("netrc b.example", on: endpoint)
        #expect(netrc.output == "machine b.example login dave password gated-dave\n")
    }

    @Test(.requirement("USE-06"))
    func `stays the only one that is left out where the person cancels`() throws {
        let found = run("netrc", on: try keychain(prompter: Person(cancels: true)))
        #expect(found.output == "machine a.example login carol password open-carol\n")
        #expect(found.status == 128, "\(found.diagnostics)")
    }

    @Test func `is no matter for another server's passwords`() throws {
        let endpoint = try keychain()
        #expect(run("netrc a.example", on: endpoint).status == 0)
        try #require(run("lock-keychain", on: endpoint).status == 0)
        #expect(run("netrc b.example", on: endpoint).status == 36)
    }

    @Test func `never gives way to another match of a search for one password`() throws {
        let endpoint = try keychain()
        let words = "add-generic-password -a ZOE -s bank"
        try #require(run(words, on: endpoint, input: "open-zoe").status == 0)
        let found = run("find-generic-password -s bank -w", on: endpoint)
        #expect(found.status == 36)
        #expect(found.output.isEmpty)
        #expect(found.diagnostics.contains("matches too and is in reach: genp (label bank"))
    }

    @Test func `leaves its variable out, and the command runs with the others`() throws {
        let endpoint = try keychain()
        let words = "add-generic-password -a ZOE -s bank"
        try #require(run(words, on: endpoint, input: "open-zoe").status == 0)
        var names: [[String]] = []
        let found = run("env bank -- make", on: endpoint) { names.append($0.variables.map(\.name)) }
        #expect(names == [["ZOE"]])
        #expect(found.diagnostics.contains(Listing.bank))
        #expect(found.diagnostics.contains("the command runs without"))
    }

    @Test func `keeps a command from running that would get nothing else`() throws {
        let endpoint = try TestKeychain.endpoint()
        for (words, input) in [
            ("passcode set", "1234"),
            ("add-generic-password -a ALICE -s bank --require userPresence", "x"),
        ] {
            try #require(run(words, on: endpoint, input: input).status == 0)
        }
        let found = run("env bank -- make", on: endpoint) { _ in Issue.record("it ran") }
        #expect(found.status == 36)
    }

    @Test func `gives way to the next credential that git can use`() throws {
        let endpoint = try keychain()
        let words = "add-internet-password -r htps -a zoe -s b.example"
        try #require(run(words, on: endpoint, input: "open-zoe").status == 0)
        let asked = "protocol=https\nhost=b.example\n"
        let found = run("git-credential get", on: endpoint, input: asked)
        #expect(found.output == "password=open-zoe\nusername=zoe\n")
        let alone = run("git-credential get", on: endpoint, input: asked + "username=dave\n")
        #expect(alone.status == 36)
        #expect(alone.output.isEmpty)
    }
}
