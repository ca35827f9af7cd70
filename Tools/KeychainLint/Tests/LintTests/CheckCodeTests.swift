import Foundation
import Testing

/// The verdict of `keychain-lint check-code --format json`.
private struct Verdict {
    let outcome: Command.Outcome
    /// A verdict that many tests use.
    private static let good = Result { try Verdict("good") }
    private static let bad = Result { try Verdict("bad") }

    static func passed() throws -> Verdict { try good.get() }
    static func failed() throws -> Verdict { try bad.get() }

    /// Checks a folder of Fixtures/CheckCode, or files made for the test.
    init(_ folder: String? = nil, _ files: [String: String] = [:], _ words: [String] = []) throws {
        let checkout = CheckCode.checkout
        for file in ["Modules/Security.swiftmodule", "keychain-simulate"] {
            let path = checkout.appending(path: ".build/debug/\(file)").path
            try #require(
                FileManager.default.fileExists(atPath: path),
                "\(file) is not built: run `swift build` at the top of the checkout first"
            )
        }
        let command = try Command(files)
        let fixture = folder.map { Lint.root.appending(path: "Fixtures/CheckCode/\($0)").path }
        outcome = try command.run(
            CheckCode.words + ["--format", "json"] + words + [fixture ?? command.folder.path]
        )
    }

    var document: [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return object as? [String: Any] ?? [:]
    }

    var word: String? { document["verdict"] as? String }

    func list(_ key: String) -> [[String: Any]] { document[key] as? [[String: Any]] ?? [] }

    var compileErrors: [String] {
        let compile = document["compile"] as? [String: Any]
        let errors = compile?["errors"] as? [[String: Any]] ?? []
        return errors.compactMap { $0["message"] as? String }
    }

    /// Returns the outcome of an item at a moment of a scenario.
    func outcome(_ item: Int, _ moment: String) -> String? {
        let items = list("items")
        guard items.indices.contains(item) else { return nil }
        let outcomes = items[item]["outcomes"] as? [[String: Any]] ?? []
        let found = outcomes.first { ($0["moment"] as? String)?.hasPrefix(moment) == true }
        return found?["outcome"] as? String
    }
}

/// A moment of a scenario, and what becomes of two items.
private struct Moment: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let afterFirstUnlock: String
    let passcodeAndBiometry: String

    init(_ moment: String, _ afterFirstUnlock: String, _ passcodeAndBiometry: String) {
        testDescription = moment
        self.afterFirstUnlock = afterFirstUnlock
        self.passcodeAndBiometry = passcodeAndBiometry
    }

    //                                    AfterFirstUnlock…  WhenPasscodeSet… and biometry
    static let all = [
        Moment("after a restart", "refused", "refused"),
        Moment("locked, after", "readable", "refused"),
        Moment("while locked", "readable", "refused"),
        Moment("unlocked again", "readable", "asks"),
        Moment("after the passcode", "readable", "gone"),
        Moment("after a second face", "readable", "refused"),
        Moment("on a new device", "gone", "gone"),
        Moment("in the background", "readable", "refused"),
    ]
}

@Suite struct `The command check-code` {
    @Test(arguments: Moment.all)
    fileprivate func `replays an add in each scenario`(moment: Moment) throws {
        let good = try Verdict.passed().outcome(0, moment.testDescription)
        #expect(good == moment.afterFirstUnlock)
        let bad = try Verdict.failed().outcome(1, moment.testDescription)
        #expect(bad == moment.passcodeAndBiometry)
    }

    @Test func `passes code without mistakes`() throws {
        let verdict = try Verdict.passed()
        #expect(verdict.word == "pass", "\(verdict.outcome)")
        #expect(verdict.outcome.status == 0)
        #expect(verdict.document["version"] as? Int == 1)
        #expect(verdict.list("unresolved").isEmpty)
    }

    @Test func `reports mistakes of every part`() throws {
        let verdict = try Verdict.failed()
        #expect(verdict.word == "fail")
        #expect(verdict.outcome.status == 1)
        #expect(verdict.list("findings").contains { $0["rule"] as? String == "KC203" })
        #expect(verdict.compileErrors == ["cannot find 'kSecMissingArgument' in scope"])
        let warned = verdict.list("items").filter { $0["severity"] as? String == "warning" }
        #expect(warned.compactMap { $0["backgroundRules"] as? [String] } == [["KC203"]])
        #expect(verdict.list("unresolved").count == 1)
    }

    @Test func `names each part that it could not do`() throws {
        let notDone = try Verdict.failed().document["notDone"] as? [String] ?? []
        #expect(notDone.count == 1)
        #expect(
            notDone[0].hasSuffix("Vault.swift imports UserNotifications, which does not exist here")
        )
    }

    @Test func `keeps errors about other code apart`() throws {
        let compile = try Verdict.failed().document["compile"] as? [String: Any]
        let others = compile?["otherErrors"] as? [[String: Any]] ?? []
        #expect(
            others.map { $0["message"] as? String } == ["cannot find type 'Decorations' in scope"]
        )
    }

    @Test func `lists the first errors about other code for people`() throws {
        let names = (1...12).map { "func use(_ value: Other\($0)) {}" }
        let code = names.joined(separator: "\n") + "\n// kSec\n"
        let command = try Command(["Code.swift": code])
        let run = try command.run(CheckCode.words + ["."])
        #expect(run.output.contains("Code.swift:10:19: cannot find type 'Other10' in scope\n"))
        #expect(!run.output.contains("Code.swift:11:"))
        #expect(run.output.contains("\n    and 2 more\n"))
        #expect(run.output.contains("12 errors about names that the shims lack or other code"))
    }

    @Test func `shows number and name of a rule for people`() throws {
        let folder = Lint.root.appending(path: "Fixtures/CheckCode/bad").path
        let run = try Command().run("check-code", "--package", "/nowhere", folder)
        #expect(run.output.contains("[KC203 when-unlocked-in-background]"))
    }

    @Test func `reports an add that the keychain refuses`() throws {
        let code = """
            import Foundation
            import Security
            func save(_ control: CFString) -> OSStatus {
                let both = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .devicePasscode], nil)
                guard let both else { return errSecParam }
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "a", kSecAttrAccount as String: "b",
                    kSecAttrAccessControl as String: both,
                    kSecValueData as String: Data(),
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
            """
        let verdict = try Verdict(nil, ["Store.swift": code])
        #expect(verdict.word == "fail")
        #expect(verdict.list("items").first?["refused"] as? String == "errSecParam (-50)")
        let text = try Command(["Store.swift": code]).run(CheckCode.words + ["."]).output
        #expect(text.contains("1 add replayed, 1 of them refused, 0 not run"))
    }

    @Test func `does not run an add that needs an application password`() throws {
        let code = """
            import Foundation
            import LocalAuthentication
            import Security
            func save(_ context: LAContext) -> OSStatus {
                let control = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .applicationPassword, nil)
                guard let control else { return errSecParam }
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "a", kSecAttrAccount as String: "b",
                    kSecAttrAccessControl as String: control,
                    kSecUseAuthenticationContext as String: context,
                    kSecValueData as String: Data(),
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
            """
        let verdict = try Verdict(nil, ["Store.swift": code])
        #expect(verdict.list("items").isEmpty)
        let reasons = verdict.list("unresolved").compactMap { $0["reason"] as? String }
        #expect(reasons == ["needs an application password, which only the LAContext has"])
    }

    @Test func `names no service that the code does not name`() throws {
        let code = """
            import Foundation
            import Security
            func save(_ account: String) -> OSStatus {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrAccount as String: account,
                    kSecValueData as String: Data(),
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
            """
        let verdict = try Verdict(nil, ["Store.swift": code])
        let item = try #require(verdict.list("items").first)
        #expect(item["service"] is NSNull)
        #expect(item["account"] is NSNull)
        let text = try Command(["Store.swift": code]).run(CheckCode.words + ["."]).output
        #expect(text.contains(":9: the item without a known name: default (WhenUnlocked)"))
    }

    @Test func `does not pass a file that is too deep to read`() throws {
        let code = "import Security\nlet x = 1" + String(repeating: "+1", count: 4_000)
        let verdict = try Verdict(nil, ["Deep.swift": code], ["--package", "/nowhere"])
        #expect(verdict.word == "warnings")
        let notDone = verdict.document["notDone"] as? [String] ?? []
        #expect(notDone.contains { $0.hasSuffix("is not read: its code nests too deep") })
    }

    @Test(arguments: [("--all", "unknown option --all"), ("one", "name one directory only")])
    func `says what it does not understand`(word: String, answer: String) throws {
        let run = try Command().run("check-code", ".", word)
        #expect(run.status == 2)
        #expect(run.problems.contains(answer))
    }

    @Test(arguments: [("5", 0), ("6", 1)])
    func `compiles in the mode of the language that is named`(mode: String, count: Int) throws {
        let code = """
            import Security
            var lastStatus = errSecSuccess
            func clear() { lastStatus = errSecItemNotFound }
            """
        let verdict = try Verdict(nil, ["Store.swift": code], ["--swift-version", mode])
        #expect(verdict.compileErrors.count == count, "\(verdict.outcome)")
    }

    @Test(arguments: [
        "import Foundation\nprint(SecItemDelete([kSecClass: kSecClassKey] as NSDictionary))\n",
        "import Foundation\n@main enum App { static func main() { print(errSecParam) } }\n",
    ])
    func `compiles what compiles on Apple's platforms`(code: String) throws {
        let verdict = try Verdict(nil, ["Code.swift": code + "// kSec"])
        #expect(verdict.compileErrors == [], "\(verdict.outcome)")
    }

    @Test func `does not pass code that never uses the keychain`() throws {
        let verdict = try Verdict(nil, ["Code.swift": "struct Nothing {}"])
        #expect(verdict.word == "warnings")
        #expect(verdict.document["notDone"] as? [String] == ["compile: no file uses the keychain"])
    }

    @Test func `reports a checkout that does not exist, and still lints`() throws {
        let verdict = try Verdict("good", [:], ["--package", "/nowhere"])
        #expect(verdict.word == "warnings")
        let notDone = verdict.document["notDone"] as? [String] ?? []
        #expect(notDone == ["compile and run: /nowhere is no checkout of swift-keychain"])
    }

    @Test(arguments: [
        ["check-code"], ["check-code", "--format", "xml", "."], ["check-code", "-x"],
    ])
    func `refuses a wrong command line`(words: [String]) throws {
        #expect(try Command().run(words).status == 2)
    }
}

@Suite struct `Checking code that nobody trusts` {
    /// The code of a correct add.
    private static let add = """
        import Security
        let item: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
        """

    private func names(below folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix("output-") && !$0.hasPrefix("problems-") }.sorted()
    }

    @Test(arguments: ["-emit-module-path=made.swift", "@words.swift"])
    func `takes no file name for an option`(name: String) throws {
        let files = [name: Self.add, "words.swift": "-emit-module-path\nmade.swiftmodule\n// kSec"]
        let command = try Command(files)
        _ = try command.run(CheckCode.words + ["."])
        #expect(try names(below: command.folder) == files.keys.sorted())
    }

    @Test func `does not pass what the compiler refused without a place`() throws {
        let command = try Command()
        for folder in ["a", "b"] {
            let place = command.folder.appending(path: folder)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try command.put(Self.add, at: folder + "/Store.swift")
        }
        let outcome = try command.run(CheckCode.words + ["."])
        #expect(outcome.output.contains("not done: compile: the compiler failed"))
        #expect(!outcome.output.contains("verdict: pass"))
    }

    @Test func `prints no control character of it`() throws {
        let text = """
            import Security
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "a",
                kSecAttrAccount as String: "\u{1B}]0;owned\u{7}",
            ]
            SecItemAdd(item as CFDictionary, nil)
            """
        let command = try Command(["main.swift": text])
        let outcome = try command.run(CheckCode.words + ["."])
        #expect(!outcome.output.contains("\u{1B}"))
    }
}
