import TestSupport
import Testing

@testable import KeychainCommand

/// Words that no help has: what the store and the protocols call accessibilities and classes.
private let shorthand = Set(
    "ak ck dk aku cku dku akpu TDO SEP agrp pdmn svce srvr".split(separator: " ")
)

/// What a command line did.
private struct Outcome {
    let status: Int32
    let output: String
    let diagnostics: String
}

private func run(_ words: [String], input: String = "") throws -> Outcome {
    let terminal = TestTerminal(input: Array(input.utf8))
    let endpoint = try TestKeychain.endpoint()
    let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
    return Outcome(
        status: status,
        output: terminal.outputText,
        diagnostics: terminal.diagnosticsText
    )
}

@Suite struct `Each command` {
    @Test(.requirement("OPS-04"), arguments: CommandTable.rows.map(\.name))
    func `explains itself, its options and its operands`(name: String) throws {
        let command = try CommandTable.command(named: name)
        let asked = try run([name, "--help"])
        #expect(asked.status == 0)
        #expect(asked.diagnostics == "")
        #expect(asked.output == (try run(["help", name]).output))
        #expect(asked.output.contains("usage: keychainctl \(command.synopsis)\n"))
        let missing = command.options.filter { option in
            !asked.output.contains("  \(option.synopsis) ")
                || !asked.output.contains(option.meaning)
        }
        #expect(missing.map(\.synopsis) == [])
    }

    @Test(.requirement("OPS-04"), arguments: CommandTable.rows.map(\.name))
    func `ends with 2 at an option that it has not, and names its help`(name: String) throws {
        let refused = try run([name, "--no-such-option"])
        #expect(refused.status == 2)
        #expect(refused.output == "")
        #expect(refused.diagnostics.contains("unknown option --no-such-option"))
        #expect(refused.diagnostics.hasSuffix("; see keychainctl help \(name)\n"))
    }

    /// The verbs that the command promises, by the names that it has for them.
    @Test(.requirement("OPS-04")) func `that was promised is there`() {
        let promised = [
            "add-generic-password", "find-generic-password", "edit", "delete-generic-password",
            "dump-keychain", "search", "lock-keychain", "unlock-keychain", "status", "explain",
            "export", "import", "simulate",
        ]
        #expect(promised.filter { !CommandTable.rows.map(\.name).contains($0) } == [])
    }

    @Test(.requirement("PKG-09"), arguments: CommandTable.rows.map(\.name))
    func `has help in words`(name: String) throws {
        let page = try run(["help", name]).output
        let words = page.split { !$0.isLetter }
        #expect(words.count > 5)
        #expect(words.filter(shorthand.contains) == [])
    }
}

@Suite struct `A day of commands` {
    private static let input = [
        "passcode": "tundra-velvet-orbit-mango-stitch-plow\n",
        "unlock-keychain": "tundra-velvet-orbit-mango-stitch-plow\n",
        "add-generic-password": "hunter2",
    ]

    @Test(.requirement("OPS-04"))
    func `adds, finds, updates, deletes, lists, locks, unlocks and explains`() throws {
        let endpoint = try TestKeychain.endpoint()
        let find = ["find-generic-password", "-s", "mail", "-a", "ann"]
        let lines: [(words: [String], status: Int32)] = [
            (["passcode", "set"], 0), (["add-generic-password", "-s", "mail", "-a", "ann"], 0),
            (["add-generic-password", "-s", "mail", "-a", "ann"], 45), (find, 0),
            (["add-generic-password", "-U", "-s", "mail", "-a", "ann", "-l", "post"], 0),
            (["dump-keychain"], 0), (["status"], 0), (["lock-keychain"], 0), (find + ["-w"], 36),
            (["explain", "-25308", "-s", "mail", "-a", "ann"], 0), (["unlock-keychain"], 0),
            (["export", "-t", "certs"], 44), (["import", "/no/such/file.pem"], 220),
            (find + ["-w"], 0), (["delete-generic-password", "-s", "mail", "-a", "ann"], 0),
            (find, 44), (["no-such-command"], 1), ([], 2),
        ]
        let found = lines.map { line in
            let input = Self.input[line.words.first ?? ""] ?? ""
            let terminal = TestTerminal(input: Array(input.utf8))
            return TestKeychain.run(["keychainctl"] + line.words, on: endpoint, terminal)
        }
        #expect(found == lines.map(\.status))
    }
}

@Suite struct `An option whose value is a secret` {
    private static let leaf = String(#filePath.prefix { $0 != "." })
        .replacing("CommandLineContractTests", with: "Fixtures/leaf.p12")
    private static let secrets = ["password", "passphrase", "passcode", "hex"]

    /// Every one, as macOS has it, by its command.
    private static let known: Set<String> = [
        "add-generic-password -w", "add-generic-password -X", "add-generic-password -p",
        "add-internet-password -w", "add-internet-password -X", "unlock-keychain -p",
        "create-keychain -p", "set-key-partition-list -k",
        "set-generic-password-partition-list -k", "set-internet-password-partition-list -k",
        "import -P", "export -P",
    ]

    @Test(.requirement("OPS-05")) func `is one of macOS's, and there are no others`() {
        let found = CommandTable.rows.flatMap { command in
            command.options.compactMap { option -> String? in
                switch option.value {
                case .none: nil
                case .required(let word), .optional(let word):
                    Self.secrets.contains(word) ? "\(command.name) \(option.spellings[0])" : nil
                }
            }
        }
        #expect(Set(found) == Self.known)
    }

    /// Two need a keychain on the disk or an item first; their transcripts have the warning.
    private static let tried = known.subtracting(["create-keychain -p", "export -P"]).sorted()

    @Test(.requirement("OPS-05"), arguments: tried)
    func `draws a warning that says what to do`(option: String) throws {
        let words = option.split(separator: " ").map(String.init)
        let rest: [String: [String]] = [
            "add-generic-password": ["-a", "ann", "-s", "mail"],
            "add-internet-password": ["-a", "ann", "-s", "mail"],
            "import": [Self.leaf],
        ]
        let end = try run(words + ["6869"] + (rest[words[0]] ?? []))
        #expect(end.diagnostics.contains("warning: other users can see a"))
        #expect(end.diagnostics.contains("leave it out"))
        #expect(!end.output.contains("6869"))
        #expect(!end.diagnostics.contains("6869"))
    }
}
