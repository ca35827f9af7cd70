import Foundation
import Testing

/// An add that the linter resolves, in a file of its own.
private let add = """
    import Foundation
    import Security
    func save(_ data: Data) -> OSStatus {
        SecItemAdd(
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "a", kSecAttrAccount as String: "b",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
                kSecValueData as String: data,
            ] as CFDictionary,
            nil
        )
    }
    """

/// A folder with code, a checkout and a compiler, of which only the code is real.
private final class Fake {
    let command: Command
    var checkout: String { command.folder.appending(path: "checkout").path }

    /// The shell scripts run instead of the compiler and the simulator.
    init(compiler: String = ":", simulator: String = "echo []") throws {
        command = try Command()
        try put(add, at: "code/Store.swift")
        try put("let package = Package(name: \"swift-keychain\")", at: "checkout/Package.swift")
        for module in ["Security", "LocalAuthentication"] {
            try put("", at: "checkout/.build/debug/Modules/\(module).swiftmodule")
        }
        try putProgram(simulator, at: "checkout/.build/debug/keychain-simulate")
        try putProgram(compiler, at: "bin/swiftc")
    }

    func put(_ text: String, at name: String) throws {
        let file = command.folder.appending(path: name)
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try command.put(text, at: name)
    }

    private func putProgram(_ script: String, at name: String) throws {
        try put("#!/bin/sh\n\(script)\n", at: name)
        let mode = [FileAttributeKey.posixPermissions: 0o755]
        let path = command.folder.appending(path: name).path
        try FileManager.default.setAttributes(mode, ofItemAtPath: path)
    }

    func run(_ words: String...) throws -> Command.Outcome {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let own = command.folder.appending(path: "bin").path
        return try command.run(
            ["check-code", "--package", checkout] + words + ["code"],
            environment: ["PATH": "\(own):\(path)"]
        )
    }

    /// Returns whether the process runs whose number a script wrote.
    func isRunning(_ name: String) throws -> Bool {
        let file = command.folder.appending(path: name)
        let number = try String(contentsOf: file, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        return status.map { !$0.contains(") Z ") } ?? false
    }
}

/// A script that starts a second process, writes its number, and never ends.
private let endless = "tail -f /dev/null & echo $! >number; wait"

@Suite struct `A program that check-code runs` {
    @Test func `is killed with what it started, if it is the compiler`() throws {
        let fake = try Fake(compiler: endless)
        let run = try fake.run("--compile-seconds", "1")
        #expect(run.output.contains("not done: compile: the compiler did not end within 1 s, for"))
        #expect(run.output.contains("verdict: warnings"))
        #expect(try !fake.isRunning("number"))
    }

    @Test func `is killed with what it started, if it is a scenario`() throws {
        let fake = try Fake(simulator: endless)
        let run = try fake.run("--scenario-seconds=1")
        #expect(run.output.contains("the scenario reboot did not end within 1 s\n"), "\(run)")
        #expect(try !fake.isRunning("number"))
    }

    @Test func `reads nothing`() throws {
        let fake = try Fake(compiler: "cat; echo '<unknown>:0: error: no input'; exit 1")
        #expect(try fake.run().output.contains("not done: compile: the compiler failed"))
    }

    @Test func `cannot fill the memory`() throws {
        let fake = try Fake(compiler: "head -c 20000000 /dev/zero >&2")
        let run = try fake.run()
        #expect(run.output.contains("the compiler wrote more than 16 MiB; the rest is lost"))
        #expect(!run.output.contains("verdict: pass"))
    }

    @Test func `need not wait for a process that it leaves behind`() throws {
        let fake = try Fake(compiler: "tail -f /dev/null & echo $! >number")
        let run = try fake.run("--compile-seconds", "600")
        #expect(run.output.contains("compile  1 file, 0 errors"))
        #expect(try !fake.isRunning("number"))
    }

    @Test(arguments: ["0", "-1", "soon", "86401"])
    func `has a number of seconds`(text: String) throws {
        let run = try Fake().run("--scenario-seconds", text)
        #expect(run.status == 2)
        #expect(run.problems.contains("--scenario-seconds is a number of seconds, 1 to 86400"))
    }
}

@Suite struct `A checkout around the linter` {
    /// Runs a copy of the linter in a checkout with a mode, or with a parent of that mode.
    private func run(_ mode: Int, of folder: String) throws -> String {
        let fake = try Fake()
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let linter = URL(filePath: here).deletingLastPathComponent().appending(
            path: "keychain-lint"
        )
        let copy = fake.command.folder.appending(path: "checkout/keychain-lint")
        try FileManager.default.copyItem(at: linter, to: copy)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: fake.command.folder.appending(path: folder).path
        )
        return try fake.command.run(["check-code", "code"], program: copy).output
    }

    @Test(arguments: [
        (0o777, "checkout"), (0o775, "checkout"), (0o1777, "checkout"), (0o777, "."),
        (0o777, "checkout/.build"), (0o777, "checkout/.build/debug/keychain-simulate"),
    ])
    func `is refused if others can write to it`(mode: Int, folder: String) throws {
        let text = try run(mode, of: folder)
        #expect(text.contains("not done: compile and run: refused the checkout /"), "\(text)")
        #expect(text.contains("/checkout, because other users can write to /"))
        #expect(text.contains("name it: --package /"))
        #expect(!text.contains("verdict: pass"))
    }

    @Test(arguments: [(0o755, "checkout"), (0o1777, "."), (0o700, "checkout/.build")])
    func `is used if nobody else can replace it`(mode: Int, folder: String) throws {
        let text = try run(mode, of: folder)
        #expect(!text.contains("refused the checkout"), "\(text)")
    }
}

/// Code that calls something that does not exist, behind lines that move its errors elsewhere.
private let moves = [
    "#sourceLocation(file: \"Other.swift\", line: 500)",
    "#sourceLocation(file: \"\", line: 1)",
    "#sourceLocation(file: \"/etc/passwd\", line: 1)",
    "#sourceLocation(file: \"a:1:1: error: b\", line: 1)",
    "#sourceLocation(\nfile: \"Other.swift\", line: 1)",
]

@Suite struct `A #sourceLocation in checked code` {
    private func errors(_ code: String, at name: String = "Store.swift") throws -> [String] {
        let command = try Command([name: code])
        let checkout = CheckCode.checkout.path
        let run = try command.run("check-code", "--package", checkout, "--format", "json", ".")
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let compile = (document as? [String: Any])?["compile"] as? [String: Any]
        let errors = compile?["errors"] as? [[String: Any]] ?? []
        return errors.map { "\($0["file"] ?? ""):\($0["line"] ?? ""):\($0["message"] ?? "")" }
    }

    @Test(arguments: moves)
    func `moves no error of the compiler`(line: String) throws {
        let code = "import Security\n\(line)\nlet key: Int = kSecClass\n#sourceLocation()\n"
        let row = 2 + line.split(separator: "\n").count
        let found = try errors(code)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Store.swift:\(row):cannot convert value") == true)
    }

    @Test(arguments: [
        ("struct S {\n", "let a: Int = kSecClass }"),
        ("let b = [\n", "kSecNone ]"),
        ("func f(a: Int) { switch a {\n", "default: print(kSecNone) } }"),
        ("let c = {\n", "kSecNone }()"),
        ("func g(\n", "a: Int = kSecClass) {}"),
        ("let d = 1;\n", "let e: Int = kSecClass"),
    ])
    func `moves no error, wherever it is`(before: String, after: String) throws {
        let found = try errors("import Security\n\(before)\(moves[0])\n\(after)\n")
        #expect(found.contains { $0.hasPrefix("Store.swift:4:") }, "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("Store.swift:") })
    }

    @Test func `makes no other file of main.swift`() throws {
        let code = "\(moves[0])\nprint(errSecParam)\n"
        #expect(try errors(code, at: "main.swift") == [])
    }

    @Test(arguments: moves)
    func `moves no finding of the linter`(line: String) throws {
        let code = "import Security\n\(line)\nlet always = kSecAttrAccessibleAlways\n"
        let row = 2 + line.split(separator: "\n").count
        let run = try Command(["Store.swift": code]).run("Store.swift")
        #expect(run.output.contains("Store.swift:\(row):"), "\(run.output)")
        #expect(run.output.contains("KC202"))
    }

    @Test func `does not pass an error in another file`() throws {
        let fake = try Fake(compiler: "echo '/other/A.swift:1:1: error: wrong' >&2; exit 1")
        let text = try fake.run().output
        #expect(text.contains("an error in no file of the project: /other/A.swift: wrong"))
        #expect(!text.contains("verdict: pass"))
    }
}
