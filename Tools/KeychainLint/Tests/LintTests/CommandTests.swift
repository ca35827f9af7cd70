import Foundation
import LintRules
import Testing

private let always = """
    import Security
    func save(_ data: Data, account: String) -> OSStatus {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "notes", kSecAttrAccount as String: account,
            kSecAttrAccessible as String: kSecAttrAccessibleAlways,
            kSecValueData as String: data,
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }

    """

@Suite struct `The command` {
    @Test(
        .requirement("LNT-03"),
        arguments: ["kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly"]
    )
    func `fails for a deprecated class, and names the rule`(name: String) throws {
        let text = always.replacingOccurrences(of: "kSecAttrAccessibleAlways", with: name)
        let command = try Command(["Store.swift": text])
        let run = try command.run(".")
        #expect(run.status == 1)
        #expect(run.output.contains("Store.swift:6:"))
        #expect(run.output.contains("error: "))
        #expect(run.output.contains("[KC202 deprecated-always]"))
    }

    @Test(.requirement("LNT-03"))
    func `succeeds once the class is another`() throws {
        let text = always.replacingOccurrences(
            of: "kSecAttrAccessibleAlways",
            with: "kSecAttrAccessibleAfterFirstUnlock"
        )
        let run = try Command(["Store.swift": text]).run(".")
        #expect(run.status == 0)
        #expect(!run.output.contains("KC202"))
    }

    @Test(.requirement("LNT-07"))
    func `takes severities from the file of settings`() throws {
        let command = try Command(["Store.swift": always])
        try command.put(#"{"rules": {"KC202": "warning"}}"#, at: ".keychain-lint.json")
        let run = try command.run(".")
        #expect(run.status == 0)
        #expect(run.output.contains("warning: "))
        try command.put(#"{"rules": {"deprecated-always": "off"}}"#, at: "other.json")
        #expect(try !command.run("--config", "other.json", ".").output.contains("KC202"))
    }

    @Test(.requirement("LNT-07"))
    func `succeeds with a suppressed finding, and still reports it`() throws {
        let line = "        kSecAttrAccessible as String"
        let text = always.replacingOccurrences(
            of: line,
            with: "// keychain-lint" + ":disable:next KC202 -- a server without users\n" + line
        )
        let command = try Command(["Store.swift": text])
        let run = try command.run("--format", "json", ".")
        #expect(run.status == 0)
        #expect(run.output.contains("\"suppressed\" : \"a server without users\""))
        #expect(run.output.contains("\"rule\" : \"KC202\""))
    }

    @Test(.requirement("LNT-08"), arguments: ["text", "json", "sarif", "annotations"])
    func `writes every form, with the same status`(format: String) throws {
        let run = try Command(["Store.swift": always]).run("--format", format, ".")
        #expect(run.status == 1)
        #expect(run.output.contains("KC202"))
        let isJSON = (try? JSONSerialization.jsonObject(with: Data(run.output.utf8))) != nil
        #expect(isJSON == ["json", "sarif"].contains(format))
    }

    @Test(.requirement("LNT-09"))
    func `reports with a baseline only what is new`() throws {
        let command = try Command(["Store.swift": always])
        #expect(try command.run("--write-baseline", "old.json", ".").status == 0)
        let same = try command.run("--baseline", "old.json", "Store.swift")
        #expect(same.status == 0)
        #expect(!same.output.contains("KC202"))
        let second = always.replacingOccurrences(of: "func save", with: "func keep")
        try command.put("// moved\n" + always + second, at: "Store.swift")
        let run = try command.run("--baseline", "old.json", "Store.swift")
        #expect(run.status == 1)
        #expect(run.output.contains("Store.swift:17:"))
        #expect(!run.output.contains("Store.swift:7:"))
    }

    @Test(.requirement("LNT-15"), arguments: ["KC201", "missing-accessible", "kc201"])
    func `explains a rule by its number and its name`(name: String) throws {
        let run = try Command().run("--explain", name)
        #expect(run.status == 0)
        #expect(run.output.contains("Keychain access control guide"))
        #expect(run.output.contains("MASVS-STORAGE-1"))
    }

    @Test(arguments: [
        ["--format", "json"], ["--format=json"], ["--config", "settings.json"],
        ["--pack", "crypto"], ["--notes"],
    ])
    func `reads the package if the plugin names no path`(arguments: [String]) throws {
        let command = try Command(["Store.swift": always])
        try command.put("{}", at: "settings.json")
        let run = try command.run(arguments, environment: ["KEYCHAIN_LINT_PATH": "."])
        #expect(run.status == 1)
        #expect(run.problems == "")
        #expect(run.output.contains("KC202"))
    }

    @Test(arguments: ["Package.swift", "Info.plist", "App.entitlements", "App.xcconfig"])
    func `reads a file that is not source but says something`(name: String) throws {
        let command = try Command([name: ""])
        #expect(try command.run(name).status == 0)
    }

    @Test(arguments: [
        (["."], ".: no Swift file is there."),
        (["--config", "absent.json", "."], "absent.json: there is no such file, or it is not"),
        (["--config", "list.json", "."], "list.json: this is no JSON object of settings."),
        (["--config", "word.json", "."], "word.json: the value of \"strict\" has the wrong type."),
    ])
    func `says in one line what it cannot read`(arguments: [String], answer: String) throws {
        let command = try Command(["list.json": "[", "word.json": #"{"strict": "yes"}"#])
        let run = try command.run(arguments)
        #expect(run.status == 2)
        #expect(run.problems.hasPrefix("keychain-lint: \(answer)"))
        #expect(run.problems.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ["--explain"], ["--format", "yaml", "."], ["--checklist", "none", "."], [],
        ["--unknown"], ["absent"], ["--config", "absent.json", "."],
    ])
    func `refuses a wrong command line`(arguments: [String]) throws {
        let command = try Command(["Store.swift": always])
        let run = try command.run(arguments)
        #expect(run.status == 2)
        #expect(run.problems.hasPrefix("keychain-lint: "))
    }
}
