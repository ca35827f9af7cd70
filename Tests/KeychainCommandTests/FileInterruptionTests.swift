import Foundation
import TestSupport
import Testing

@testable import KeychainCommand

/// Commands that get a signal while a file is in the making.
@Suite struct `A file command that is interrupted` {
    private static let hasMemory = (try? EditFolder()).map { $0.clear().isEmpty } ?? false

    private let shop: Workshop
    private let diary: String

    init() throws {
        shop = try Workshop()
        diary = shop.scratch.path + "/diary"
        #expect(try shop.run("keychainctl", "file", "write", diary, input: "before").status == 0)
    }

    /// An editor, as a script.
    private func editor(_ lines: String...) throws -> String {
        let path = shop.scratch.path + "/editor"
        try shop.scratch.write((["#!/bin/sh"] + lines).joined(separator: "\n") + "\n", to: path)
        chmod(path, 0o700)
        return "EDITOR=" + path
    }

    private var content: String {
        get throws { try shop.run("keychainctl", "file", "cat", diary).output }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: shop.scratch.path) }
    }

    @Test(.enabled(if: hasMemory), arguments: [SIGTERM, SIGHUP])
    func `ends with the signal and leaves no copy of an editor`(signal: Int32) throws {
        defer { shop.scratch.remove() }
        // Whoever reads the pipe knows that the editor runs.
        let pipe = shop.scratch.path + "/pipe"
        mkfifo(pipe, 0o600)
        let editor = try editor("echo \"$1\" > \(pipe)", "exec sleep 600")
        let words = [editor, "keychainctl", "file", "edit", diary]
        let process = try shop.start(words)
        let reader = try #require(FileHandle(forReadingAtPath: pipe))
        let copy = try String(decoding: reader.readToEnd() ?? Data(), as: UTF8.self).dropLast()
        #expect(copy.hasPrefix("/dev/shm/keychainctl-"))
        #expect(FileManager.default.fileExists(atPath: String(copy)))

        #expect(try process.end(signal).status == 128 + signal)
        #expect(
            !FileManager.default.fileExists(
                atPath: (String(copy) as NSString).deletingLastPathComponent
            )
        )
        #expect(try content == "before")
    }

    @Test(.enabled(if: hasMemory))
    func `stores no half of what an editor was saving`() throws {
        defer { shop.scratch.remove() }
        let pipe = shop.scratch.path + "/pipe"
        mkfifo(pipe, 0o600)
        let saving = ["printf half > \"$1\"", "echo \"$1\" > \(pipe)", "exec sleep 600"]
        let editor = try editor(saving.joined(separator: "\n"))
        let words = [editor, "keychainctl", "file", "edit", diary]
        let process = try shop.start(words)
        let reader = try #require(FileHandle(forReadingAtPath: pipe))
        let said = try String(decoding: reader.readToEnd() ?? Data(), as: UTF8.self)
        let copy = String(said.dropLast())

        try process.end(SIGTERM)
        #expect(try content == "before")
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "half")
        try FileManager.default.removeItem(
            atPath: (copy as NSString).deletingLastPathComponent
        )
    }

    @Test(.enabled(if: hasMemory))
    func `keeps what a dying editor put beside the copy`() throws {
        defer { shop.scratch.remove() }
        let pipe = shop.scratch.path + "/pipe"
        mkfifo(pipe, 0o600)
        let editor = try editor(
            "echo typed > \"$1.swp\"",
            "echo \"$1\" > \(pipe)",
            "exec sleep 600"
        )
        let words = [editor, "keychainctl", "file", "edit", diary]
        let process = try shop.start(words)
        let reader = try #require(FileHandle(forReadingAtPath: pipe))
        let copy = try String(decoding: reader.readToEnd() ?? Data(), as: UTF8.self).dropLast()
        try process.end(SIGHUP)
        #expect(try String(contentsOfFile: copy + ".swp", encoding: .utf8) == "typed\n")
        let folder = (String(copy) as NSString).deletingLastPathComponent
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(.enabled(if: hasMemory), arguments: ["mkfifo", "ln -s /etc/passwd"])
    func `reads no other file than the copy`(command: String) throws {
        defer { shop.scratch.remove() }
        let place = shop.scratch.path + "/place"
        let editor = try editor("dirname \"$1\" > \(place)", "rm \"$1\"", "\(command) \"$1\"")
        let end = try shop.run(editor, "keychainctl", "file", "edit", diary)
        #expect(end.status == 220 && end.output.contains("no regular file"))
        #expect(try content == "before")
        let folder = try String(contentsOfFile: place, encoding: .utf8).dropLast()
        try FileManager.default.removeItem(atPath: String(folder))
    }

    @Test(.enabled(if: hasMemory))
    func `leaves no folder if the editor removed the copy`() throws {
        defer { shop.scratch.remove() }
        let place = shop.scratch.path + "/place"
        let editor = try editor("dirname \"$1\" > \(place)", "rm \"$1\"")
        let end = try shop.run(editor, "keychainctl", "file", "edit", diary)
        #expect(end.status == 1 && end.output.contains("removed its copy"))
        #expect(!end.output.contains("the changes are"))
        let folder = try String(contentsOfFile: place, encoding: .utf8).dropLast()
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        #expect(try content == "before")
    }

    @Test func `is not edited while it has other names or somebody replaces it`() throws {
        defer { shop.scratch.remove() }
        let other = shop.scratch.path + "/other"
        link(diary, other)
        let named = try shop.run("EDITOR=false", "keychainctl", "file", "edit", diary)
        #expect(named.status == 220 && named.output.contains("has other names"))
        unlink(other)
        guard Self.hasMemory else { return }
        let editor = try editor(
            "echo synced > \(other) && mv \(other) \(diary)",
            "printf after > \"$1\"",
            "dirname \"$1\" > \(other)"
        )
        let run = try shop.run(editor, "keychainctl", "file", "edit", diary)
        #expect(run.status == 207 && run.output.contains("the changes are not stored"))
        #expect(try String(contentsOfFile: diary, encoding: .utf8) == "synced\n")
        let folder = try String(contentsOfFile: other, encoding: .utf8).dropLast()
        try FileManager.default.removeItem(atPath: String(folder))
    }

    @Test(.enabled(if: hasMemory))
    func `stores what was saved, whatever the editor left beside it, after Ctrl-C`() throws {
        defer { shop.scratch.remove() }
        let place = shop.scratch.path + "/place"
        let editor = try editor(
            "kill -INT $PPID",
            "mkdir -p \"$1.d/e\" && cp \"$1\" \"$1.d/e/f\" && ln -s /etc \"$1.link\"",
            "printf after > \"$1\"",
            "dirname \"$1\" > \(place)"
        )
        #expect(try shop.run(editor, "keychainctl", "file", "edit", diary).status == 0)
        let folder = try String(contentsOfFile: place, encoding: .utf8).dropLast()
        #expect(folder.hasPrefix("/dev/shm/keychainctl-"))
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        #expect(try content == "after")
    }

    @Test func `takes no file of the keychain for standard input that is closed`() throws {
        defer { shop.scratch.remove() }
        let script = "exec keychainctl file write \"$0\" <&-"
        #expect(try shop.run("sh", "-c", script, diary).status != 0)
        #expect(try content == "before")
    }

    @Test func `leaves no half of what it wrote`() throws {
        defer { shop.scratch.remove() }
        let before = try names
        let words = ["keychainctl", "file", "write", diary]
        let process = try shop.start(words, hasInput: true)
        // Far more than a pipe holds: the file is in the making when all has been taken.
        try process.write(String(repeating: "7", count: 400_000))
        #expect(try names.contains { $0.hasPrefix(".diary.") && $0.hasSuffix(".protecting") })

        #expect(try process.end(SIGTERM).status == 128 + SIGTERM)
        #expect(try names.sorted() == before.sorted())
        #expect(try content == "before")
    }

    @Test func `is found by the next one if it was killed`() throws {
        defer { shop.scratch.remove() }
        let memory = shop.scratch.path
        let folder = memory + "/keychainctl-abcdef"
        mkdir(folder, 0o700)
        #expect(EditFolder.leftovers(in: memory) == [folder])
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        #expect(EditFolder.leftovers(in: memory).isEmpty)
    }
}

/// Content on its way to a terminal.
@Suite struct `Content on a terminal` {
    private func page(of pages: [Page]) -> Page { pages.reduce(into: Page()) { $0.append($1) } }

    private func shown(_ parts: [String]) -> String {
        var text = ScreenText()
        let terminal = TestTerminal()
        let pages = parts.map { part in Array(part.utf8).withUnsafeBytes { text.page($0) } }
        try? page(of: pages + [text.rest]).write(to: terminal, .output)
        return terminal.outputText
    }

    @Test(arguments: [
        (["a\tb\r\nc"], "a\tb\r\nc"), (["a\r", "\nb"], "a\r\nb"), (["a\rb"], "a\\u{d}b"),
        (["a\r"], "a\\u{d}"), (["\u{1B}[2J"], "\\u{1b}[2J"),
    ])
    func `keeps tabulators and line ends alone`(parts: [String], expected: String) {
        #expect(shown(parts) == expected)
    }

    @Test func `keeps a character that comes in two parts`() {
        let bytes = Array("a€b".utf8)
        var text = ScreenText()
        let terminal = TestTerminal()
        let pages = [bytes[..<2], bytes[2...]].map { part in
            Array(part).withUnsafeBytes { text.page($0) }
        }
        try? page(of: pages).write(to: terminal, .output)
        #expect(terminal.outputText == "a€b")
    }
}
