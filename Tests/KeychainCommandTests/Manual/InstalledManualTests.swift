import Foundation
import TestSupport
import Testing

@testable import KeychainCommand

/// What `keychainctl manual` writes, as the programs see it for which it is meant.
@Suite(.requirement("PKG-04"))
struct `What an installation has of the manual` {
    private let workshop: Workshop
    private let share: String

    init() throws {
        workshop = try Workshop()
        share = workshop.scratch.path + "/share"
        let written = try workshop.run("keychainctl", "manual", share)
        try #require(written.status == 0, "\(written.output)")
    }

    /// Runs a program that looks for pages and completions here.
    private func run(_ words: String...) throws -> (status: Int32, output: String) {
        let places = "XDG_DATA_DIRS=\(share):/usr/share"
        return try workshop.run(["env", places, "LC_ALL=C.UTF-8"] + words, input: "")
    }

    @Test func `has a page for each command, which man shows without a warning`() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: share + "/man/man1")
        let commands = CommandTable.rows.map { "keychainctl-\($0.name).1" }
        #expect(Set(commands).isSubset(of: pages))
        let names = pages.map { String($0.dropLast(2)) }.sorted()
        let man = "man -M \(share)/man --warnings -E UTF-8 -Tutf8 \(names.joined(separator: " "))"
        #expect(try run("sh", "-c", "\(man) 2>&1 >/dev/null").output == "")
        let shown = try run("sh", "-c", "\(man) 2>/dev/null")
        #expect(shown.status == 0)
        #expect(shown.output.contains("keep passwords, keys and certificates"))
    }

    @Test(arguments: ["bash", "zsh"])
    func `completes commands, options and words of options in a real shell`(
        shell: String
    ) throws {
        let functions = try run("zsh", "-fc", "printf %s \"$FPATH\"").output
        let script = try Self.completions
        let typed = try run(
            "env",
            "FPATH=\(share)/zsh/site-functions:\(functions)",
            "TERM=dumb",
            "expect",
            "-f",
            script,
            shell
        )
        #expect(typed.status == 0, "\(typed.output)")
        #expect(typed.output.contains("\(shell) completes"))
    }

    @Test(
        arguments: [
            ("find-g", "find-generic-password"), ("status --j", "--json"),
            (
                "add-generic-password --accessible WhenPa", "WhenPasscodeSetThisDeviceOnly"
            ),
            ("passcode cha", "change"),
        ]
    )
    func `completes in fish`(line: String, word: String) throws {
        let found = try run("fish", "-c", "complete -C 'keychainctl \(line)'")
        let first = found.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(first == [word[...]], "\(found.output)")
    }

    /// The script that types into a shell, which the trial of the packages runs, too.
    private static var completions: String {
        get throws {
            let root = URL(filePath: #filePath).pathComponents.dropLast(4).dropFirst()
            let path = "/" + root.joined(separator: "/") + "/Scripts/completions.exp"
            try #require(FileManager.default.fileExists(atPath: path))
            return path
        }
    }
}
