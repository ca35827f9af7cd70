import Foundation
import Testing

/// The place of modules and simulator for the tests of `check-code`.
enum CheckCode {
    static let checkout = Lint.root.deletingLastPathComponent().deletingLastPathComponent()

    /// The words that name the checkout, because other users may have access to the default one.
    static let words = ["check-code", "--package", checkout.path]
}

@Suite struct `An option of check-code` {
    private static let bad = Lint.root.appending(path: "Fixtures/CheckCode/bad").path
    /// The words for a check in which only the linter can run.
    private static let lintOnly = ["check-code", "--package", "/nowhere"]

    @Test(arguments: [["--config", "settings.json"], ["--config=settings.json"]])
    func `names the settings`(words: [String]) throws {
        let command = try Command(["settings.json": "{ \"rules\": { \"KC203\": \"off\" } }"])
        let text = try command.run(Self.lintOnly + words + [Self.bad]).output
        #expect(text.contains("lint     2 files, 0 errors, 0 warnings"))
    }

    @Test func `names settings that must exist`() throws {
        #expect(try Command().run(Self.lintOnly + ["--config", "none.json", Self.bad]).status == 2)
    }

    @Test func `leaves out the findings of a baseline`() throws {
        let command = try Command()
        let first = try command.run(Self.lintOnly + ["--write-baseline", "known.json", Self.bad])
        #expect(first.status == 0)
        #expect(first.problems.contains("wrote "))
        let second = try command.run(Self.lintOnly + ["--baseline", "known.json", Self.bad])
        #expect(second.output.contains("lint     2 files, 0 errors, 0 warnings"))
    }

    @Test func `adds the rules about cryptography`() throws {
        let code = "import CryptoKit\nimport Foundation\nlet a = Insecure.MD5.hash(data: Data())\n"
        let command = try Command(["Code.swift": code])
        #expect(try !command.run(Self.lintOnly + ["."]).output.contains("KX02"))
        #expect(try command.run(Self.lintOnly + ["--pack", "crypto", "."]).output.contains("KX02"))
    }

    @Test func `ends the options`() throws {
        let command = try Command(["-x.swift": "// kSec"])
        #expect(try command.run(Self.lintOnly + ["--", "-x.swift"]).status == 0)
    }

    @Test(arguments: [
        (["--pack", "all"], "--pack is crypto"),
        (["--format", "xml"], "--format is text, json or"),
        (["--config"], "--config needs a value"), (["--check"], "unknown option --check"),
    ])
    func `is refused with a wrong value`(words: [String], answer: String) throws {
        let run = try Command().run(["check-code", "."] + words)
        #expect(run.status == 2)
        #expect(run.problems.contains(answer))
    }

    @Test func `writes what all parts found as SARIF`() throws {
        let run = try Command().run(CheckCode.words + ["--format", "sarif", Self.bad])
        #expect(run.status == 1)
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let runs = (document as? [String: Any])?["runs"] as? [[String: Any]]
        let results = runs?.first?["results"] as? [[String: Any]] ?? []
        let rules = Set(results.compactMap { $0["ruleId"] as? String })
        #expect(rules.isSuperset(of: ["KC203", "compile-error", "refused-in-background"]))
        let tool = runs?.first?["tool"] as? [String: Any]
        let driver = tool?["driver"] as? [String: Any]
        let known = Set(
            (driver?["rules"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        )
        #expect(rules.isSubset(of: known))
        let invocations = runs?.first?["invocations"] as? [[String: Any]]
        let notes = invocations?.first?["toolExecutionNotifications"] as? [Any]
        #expect(notes?.count == 2)
    }

    @Test(arguments: [(true, 0), (false, 1)])
    func `needs no mode of the language beside a manifest, which is no link`(
        isLink: Bool,
        count: Int
    ) throws {
        let code =
            "import Security\nvar last = errSecSuccess\nfunc clear() { last = errSecParam }\n"
        let command = try Command(["Store.swift": code])
        let outside = try Command(["Package.swift": "// swift-tools-version: 6.0\n"])
        let manifest = command.folder.appending(path: "Package.swift")
        let target = outside.folder.appending(path: "Package.swift")
        if isLink {
            try FileManager.default.createSymbolicLink(at: manifest, withDestinationURL: target)
        } else {
            try FileManager.default.copyItem(at: target, to: manifest)
        }
        let text = try command.run(CheckCode.words + ["."]).output
        #expect(text.contains("compile  1 file, \(count) error"), "\(text)")
    }
}
