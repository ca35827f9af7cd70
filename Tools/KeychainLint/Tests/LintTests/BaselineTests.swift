import Foundation
import Testing

private let ignored =
    "import Security\nfunc save(_ item: CFDictionary) { SecItemAdd(item, nil) }\n"

@Suite(.requirement("LNT-09")) struct `The file of a baseline` {
    @Test(arguments: [["."], ["check-code", "--package", "/nowhere", "."]])
    func `is never made by a run that reads it`(words: [String]) throws {
        let command = try Command(["Store.swift": ignored])
        let run = try command.run(words + ["--baseline", "old.json"])
        #expect(run.status == 2)
        #expect(run.problems.contains("old.json: there is no such baseline."))
        let file = command.folder.appending(path: "old.json").path
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `says how much is in it`() throws {
        let command = try Command(["Store.swift": ignored])
        let run = try command.run("--write-baseline", "old.json", ".")
        #expect(run.status == 0)
        #expect(run.problems == "keychain-lint: wrote 1 finding to old.json\n")
    }

    @Test(arguments: ["Store.swift", "./Store.swift", ".", "../base", "absolute"])
    func `holds for every way to name the code`(path: String) throws {
        let command = try Command()
        let base = command.folder.appending(path: "base")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
        try command.put(ignored, at: "base/Store.swift")
        #expect(try command.run("--write-baseline", "base/old.json", "base").status == 0)
        let written = try String(contentsOf: base.appending(path: "old.json"), encoding: .utf8)
        #expect(written.contains("\"file\" : \"Store.swift\""))
        let path = path == "absolute" ? base.path : "base/\(path)"
        let run = try command.run("--baseline", "base/old.json", path)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.hasPrefix("1 file: 0 errors"))
    }

    @Test(arguments: [
        ("none/old.json", "none/old.json: this file cannot be written: its directory does not"),
        (".", ".: this file cannot be written: it is a directory."),
    ])
    func `is refused in plain words`(path: String, answer: String) throws {
        let run = try Command(["Store.swift": ignored]).run("--write-baseline", path, ".")
        #expect(run.status == 2)
        #expect(run.problems.hasPrefix("keychain-lint: \(answer)"), "\(run.problems)")
        #expect(run.problems.split(separator: "\n").count == 1)
    }

    @Test func `is read or written, not both`() throws {
        let words = ["--baseline", "a.json", "--write-baseline", "b.json", "."]
        #expect(try Command(["Store.swift": ignored]).run(words).status == 2)
    }
}

@Suite struct `The option --fix` {
    private static let use = "let isGone = status == errSecItemNotFound\n"

    @Test(arguments: [
        ("#if os(iOS)\nimport UIKit\n#endif\nimport Foundation\n", "import Foundation\n"),
        ("import Foundation\n#if os(iOS)\nimport UIKit\n#endif\n", "import Foundation\n"),
        ("import Foundation // for Data\n", "import Foundation // for Data\n"),
        ("import Foundation; let a = 1\n", "import Foundation; "),
    ])
    func `adds the import after one without a condition`(
        imports: String,
        before: String
    ) throws {
        let command = try Command(["Store.swift": imports + Self.use])
        _ = try command.run("--fix", ".")
        let file = command.folder.appending(path: "Store.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(before.trimmingCharacters(in: .newlines) + "\nimport Security"))
    }

    @Test func `adds the import before a condition around all others`() throws {
        let imports =
            "// The store.\n\n#if os(iOS)\nimport UIKit\n#else\nimport Foundation\n#endif\n"
        let command = try Command(["Store.swift": imports + Self.use])
        _ = try command.run("--fix", ".")
        let file = command.folder.appending(path: "Store.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasPrefix("// The store.\n\nimport Security\n#if os(iOS)\nimport UIKit\n"))
    }

    @Test func `keeps the line breaks of Windows`() throws {
        let text = ("import Foundation\n" + Self.use).replacingOccurrences(of: "\n", with: "\r\n")
        let command = try Command(["Store.swift": text])
        _ = try command.run("--fix", ".")
        let bytes = try Data(contentsOf: command.folder.appending(path: "Store.swift"))
        let fixed = String(decoding: bytes, as: UTF8.self)
        #expect(fixed.hasPrefix("import Foundation\r\nimport Security\r\nlet"))
    }

    @Test func `leaves a file alone that is not UTF-8`() throws {
        let command = try Command()
        let file = command.folder.appending(path: "Store.swift")
        let old = Data("import Foundation\n".utf8) + [0x2F, 0x2F, 0xE9, 0x0A] + Data(Self.use.utf8)
        try old.write(to: file)
        let run = try command.run("--fix", "--notes", ".")
        #expect(try Data(contentsOf: file) == old)
        #expect(run.problems.contains("not fixed: Store.swift has bytes that are not UTF-8"))
        #expect(run.output.contains("[KC914 missing-import]"))
    }

    @Test func `is not needed to ask for the version`() throws {
        let run = try Command().run("--version")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /keychain-lint \d+\.\d+\.\d+\n/) != nil)
    }
}
