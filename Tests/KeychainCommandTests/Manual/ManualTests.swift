import Foundation
import Testing

@testable import KeychainCommand

@Suite struct `The man pages` {
    private static let date = "2026-11-23"

    private static func page(_ name: String) throws -> String {
        try #require(ManualPage.all(date: date).first { $0.name == name }).text
    }

    @Test(arguments: CommandTable.rows.map(\.name))
    func `explain every command with all its options`(name: String) throws {
        let command = try CommandTable.command(named: name)
        let page = try Self.page("keychainctl-\(name)")
        let missing = (command.options + OptionTable.common).flatMap(\.spellings).filter {
            !page.contains("\\fB\(RoffText.escaping($0))\\fR")
        }
        #expect(missing == [])
        #expect(page.contains(RoffText.escaping("keychainctl-\(name) - \(command.summary)")))
        #expect(page.contains(RoffText.escaping(command.example)))
    }

    @Test func `begin with an overview of commands and variables`() throws {
        let page = try Self.page("keychainctl")
        let names = CommandTable.rows.map(\.name) + EnvironmentTable.rows.map(\.name)
        #expect(names.filter { !page.contains("\\fB\(RoffText.escaping($0))\\fR") } == [])
        let titles = CommandTable.groups.map(\.title)
        #expect(titles.filter { !page.contains(".SS \(RoffText.escaping($0))\n") } == [])
    }

    @Test func `show a command also under the name of its program`() throws {
        #expect(try Self.page("keychain-migrate") == ".so man1/keychainctl-migrate.1\n")
    }

    @Test(.enabled(if: Workshop.isInstalled("groff"), "groff is not installed"))
    func `please groff`() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let pages = ManualPage.all(date: Self.date).filter { !$0.text.hasPrefix(".so") }
        try pages.forEach { try folder.write($0.text, to: folder.path + "/" + $0.name) }
        let said = try Shell.bash("groff -man -Tascii -ww -z \(folder.path)/* 2>&1")
        #expect(said == "")
    }

    @Test func `keep what would be a request as text`() {
        var roff = RoffText("x", section: 1, date: "", source: "")
        roff.line(".so /etc/passwd")
        roff.line("'sp \\fB … \u{1F511} ~^`\"-")
        let lines = roff.text.split(separator: "\n").dropFirst(3)
        let expected = [
            "\\&.so /etc/passwd",
            "\\(aqsp \\(rsfB ... \\[u1F511] \\(ti\\(ha\\(ga\\(dq\\-",
        ]
        #expect(Array(lines) == expected.map { $0[...] })
    }

    @Test func `keep the lists and examples of the tables`() {
        let parts = ManualText.parts(
            of: [
                "first line", "second line", "", "new paragraph", "  x = 1", "  y = 2",
                "protect FILE …  replace it", "                and more", "end",
            ],
            indentation: 0
        )
        #expect(
            parts == [
                .prose(["first line", "second line"]), .prose(["new paragraph"]),
                .literal(["  x = 1", "  y = 2"]),
                .entry(tag: "protect FILE …", meaning: ["replace it", "and more"]),
                .prose(["end"]),
            ]
        )
    }
}

@Suite struct `The help of another program` {
    private static let help = """
        usage: keychain-agent [--socket PATH] [--help]
               keychain-agent --version

        Show the prompts. It ends
        when it receives SIGTERM.

          --socket PATH  the daemon's socket
                         [the first that exists]
          --help         print this text

        As a protected program it uses one.
        Exit status: 0 after SIGTERM; 2 for wrong usage.

        Example: keychain-agent

        """

    @Test func `becomes a page`() throws {
        let page = try #require(ProgramHelp(Self.help)).page("keychain-agent", section: 1, date: "")
        #expect(page.path == "man1/keychain-agent.1")
        let lines = page.text.split(separator: "\n").dropFirst().map(String.init)
        let expected = #"""
            .nh
            .ad l
            .SH NAME
            keychain\-agent \- show the prompts
            .SH SYNOPSIS
            .nf
            keychain\-agent [\-\-socket PATH] [\-\-help]
            keychain\-agent \-\-version
            .fi
            .SH DESCRIPTION
            Show the prompts. It ends
            when it receives SIGTERM.
            .PP
            As a protected program it uses one.
            .SH OPTIONS
            .TP
            \fB\-\-socket PATH\fR
            the daemon\(aqs socket
            [the first that exists]
            .TP
            \fB\-\-help\fR
            print this text
            .SH EXIT STATUS
            0 after SIGTERM; 2 for wrong usage.
            .SH EXAMPLES
            .nf
            keychain\-agent
            .fi
            .SH SEE ALSO
            keychainctl(1)
            """#
        #expect(lines == expected.split(separator: "\n").map(String.init))
    }

    @Test func `is refused if it is something else`() {
        #expect(ProgramHelp("keychain-agent: wrong usage\n") == nil)
    }
}

@Suite struct `The command manual` {
    private func run(_ words: [String], _ terminal: TestTerminal = TestTerminal()) throws -> Int32 {
        TestKeychain.run(
            ["keychainctl", "manual"] + words,
            on: try TestKeychain.endpoint(),
            terminal
        )
    }

    @Test func `writes pages and completions where an installation expects them`() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        #expect(try run(["--date", "2026-11-23", folder.path + "/new/share"]) == 0)
        let share = folder.path + "/new/share"
        let files = [
            "man/man1/keychainctl.1", "man/man1/keychainctl-status.1", "man/man1/keychain-doors.1",
            "bash-completion/completions/keychainctl", "zsh/site-functions/_keychainctl",
            "fish/vendor_completions.d/keychainctl.fish",
        ]
        #expect(files.filter { !FileManager.default.fileExists(atPath: "\(share)/\($0)") } == [])
    }

    @Test func `writes the page of another program from its help`() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let help = TestTerminal(input: Array("usage: keychaind\n\nServes keychains.\n".utf8))
        #expect(try run(["--program", "keychaind.8", folder.path], help) == 0)
        let page = try String(
            contentsOfFile: folder.path + "/man/man8/keychaind.8",
            encoding: .utf8
        )
        #expect(page.contains("keychaind \\- serves keychains\n"))
    }

    @Test(
        arguments: [
            ["--date", "yesterday", "x"], ["--date", "2026-11-2345", "x"],
            ["--program", "keychaind", "x"], ["--program", "keychaind.9", "x"], [],
        ]
    )
    func `refuses wrong usage`(words: [String]) throws {
        #expect(try run(words) == 2)
    }
}
