import Foundation
import Glibc
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand
@testable import KeychainEngine

/// A keychain directory with a fault, and what the doctor says of it.
private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let subject: String
    let text: String
    let spoil: @Sendable (String) throws -> Void

    init(
        _ name: String,
        _ subject: String,
        _ text: String,
        spoil: @escaping @Sendable (String) throws -> Void
    ) {
        testDescription = name
        self.subject = subject
        self.text = text
        self.spoil = spoil
    }

    static let all = [
        Case("an open directory", "directory", "other users can access") { chmod($0, 0o755) },
        Case("an open keybag", "keybag", "other users can access") {
            chmod($0 + "/keybag", 0o644)
        },
        Case("an open database", "keychain.db", "other users can access") {
            chmod($0 + "/keychain.db", 0o640)
        },
        Case("a lost keybag", "keybag", "is missing") { unlink($0 + "/keybag") },
        Case("a cut database", "opening", "is damaged") { truncate($0 + "/keychain.db", 700) },
        Case("a cut keybag", "opening", "is damaged") { truncate($0 + "/keybag", 100) },
        Case("a damaged list of programs", "programs", "programs is damaged") {
            try Data("KCPG\u{1}short".utf8).write(to: URL(filePath: $0 + "/programs"))
            chmod($0 + "/programs", 0o600)
        },
        Case("a planted trigger", "opening", "the trigger `keep` does not belong to the keychain") {
            try plantTrigger(in: $0)
        },
        Case("an open parent", "parent", "others can write to") {
            chmod(($0 as NSString).deletingLastPathComponent, 0o777)
        },
    ]
}

/// As any program with SQLite can.
private func plantTrigger(in directory: String) throws {
    let connection = try SQLiteConnection(opening: directory + "/keychain.db", settings: [])
    try connection.execute("CREATE TRIGGER keep AFTER DELETE ON genp BEGIN SELECT 1; END")
}

@Suite struct `The command doctor` {
    private let scratch: ScratchFolder
    private let directory: String

    init() throws {
        scratch = try ScratchFolder()
        directory = scratch.path + "/parent/keychain"
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/parent",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    private func environment(
        of executable: String,
        _ variables: [String: String]
    ) -> ProcessEnvironment {
        let own = ["KEYCHAIN_HOME": directory, "XDG_RUNTIME_DIR": scratch.path]
            .merging(variables) { $1 }
        return ProcessEnvironment(executable: executable) { own[$0] }
    }

    private func examine(
        _ words: [String] = [],
        by executable: String = "/usr/bin/program",
        with variables: [String: String] = [:]
    ) throws -> (failure: CommandFailure?, output: String) {
        let terminal = TestTerminal()
        let environment = environment(of: executable, variables)
        let context = CommandContext(
            program: "keychainctl",
            terminal: terminal,
            connect: { () throws(KeychainError) in
                let home = try KeychainHome(environment)
                return try EmbeddedKeychain.open(home, environment)
            }
        )
        let command = try CommandTable.command(named: "doctor")
        let arguments = try ArgumentParser(command).parse(words)
        do throws(CommandFailure) {
            try Doctor.examine(arguments, context, environment)
            return (nil, terminal.outputText)
        } catch { return (error, terminal.outputText) }
    }

    @Test func `finds nothing wrong with a keychain that works`() throws {
        defer { scratch.remove() }
        _ = try examine()
        let (failure, output) = try examine()
        #expect(failure == nil)
        #expect(!output.contains("PROBLEM"), "\(output)")
        #expect(output.contains("ok    keychain.db "), "\(output)")
        #expect(output.contains("database        its pages and keys are intact"), "\(output)")
        #expect(output.contains(directory + ", from KEYCHAIN_HOME"))
    }

    @Test(.requirement("STO-21", "LCK-11"), arguments: Case.all)
    fileprivate func `finds what is wrong, changes nothing, and says what to do`(
        fault: Case
    ) throws {
        defer { scratch.remove() }
        _ = try examine()
        try fault.spoil(directory)
        let (failure, output) = try examine()
        #expect(failure != nil)
        let line = output.split(separator: "\n").first { line in
            line.hasPrefix("PROBLEM") && line.contains(" \(fault.subject) ")
        }
        #expect(line?.contains(fault.text) == true, "\(output)")
        #expect(output.contains("→ "))
        #expect(Self.lasting(try examine().output) == Self.lasting(output))
    }

    /// Without the line that tells how much of the disk is free.
    private static func lasting(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { !$0.contains("MiB free") }
    }

    @Test func `tells where there is no keychain yet`() throws {
        defer { scratch.remove() }
        let (failure, output) = try examine()
        #expect(failure == nil)
        #expect(output.contains("it does not exist yet"))
    }

    @Test(arguments: ["keybag.new", "sealed-passcode.new", "keychain.db.new"])
    func `notices what a crash has left`(name: String) throws {
        defer { scratch.remove() }
        _ = try examine()
        try Data([1, 2, 3]).write(to: URL(filePath: directory + "/" + name))
        chmod(directory + "/" + name, 0o600)
        #expect(try examine().output.contains("3 bytes that a crash left"))
    }

    @Test(arguments: ["sealed-passcode", "migration.journal"])
    func `finds a file that others can reach, whatever made it`(name: String) throws {
        defer { scratch.remove() }
        _ = try examine()
        try Data([1, 2, 3]).write(to: URL(filePath: directory + "/" + name))
        chmod(directory + "/" + name, 0o644)
        let (failure, output) = try examine()
        #expect(failure != nil)
        #expect(output.contains("chmod 600 \(directory)/\(name)"))
    }

    @Test(
        .requirement("OPS-03"),
        arguments: [
            ("hunter2", "invalid source"), ("file:/nowhere/passcode", "/nowhere/passcode"),
        ]
    )
    func `finds a bad source of the passcode, also where nothing needs it now`(
        source: String,
        text: String
    ) throws {
        defer { scratch.remove() }
        _ = try examine()
        let (failure, output) = try examine(["--json"], with: ["KEYCHAIN_UNLOCK_WITH": source])
        #expect(failure != nil)
        #expect(output.contains("KEYCHAIN_UNLOCK_WITH: ") && output.contains(text), "\(output)")
        #expect(!output.contains("hunter2"))
    }

    @Test(.requirement("USE-04"))
    func `explains the group of a program whose entitlements file is gone`() throws {
        defer { scratch.remove() }
        let executable = scratch.path + "/program"
        let entitlements = executable + ".entitlements"
        try Data("x".utf8).write(to: URL(filePath: executable))
        let list = ["keychain-access-groups": ["com.example.shared"]]
        let data = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: .xml,
            options: 0
        )
        try data.write(to: URL(filePath: entitlements))
        #expect(try examine(by: executable).output.contains("com.example.shared; new items go to"))
        try FileManager.default.removeItem(atPath: entitlements)
        let output = try examine(by: executable).output
        #expect(output.contains("com.example.shared; new items go to"), "\(output)")
        #expect(output.contains("an entitlements file that is gone"), "\(output)")
        #expect(output.contains("remove the file programs"), "\(output)")
    }

    @Test func `answers in JSON`() throws {
        defer { scratch.remove() }
        _ = try examine()
        let output = try examine(["--json"]).output
        let parsed = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let list = try #require(parsed as? [[String: Any]])
        #expect(list.count >= 10)
        #expect(list.allSatisfy { $0["verdict"] is String && $0["subject"] is String })
    }
}
