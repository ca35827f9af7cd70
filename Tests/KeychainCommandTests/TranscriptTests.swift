import Foundation
import KeychainCommand
import TestSupport
import Testing

@testable import keychain_migrate
@testable import keychain_sync

@Suite struct `A session at the terminal` {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Transcripts")
    private static let fixtures = folder.deletingLastPathComponent().appending(path: "Fixtures")

    static let names: [String] = {
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (found ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }()

    @Test func `has a transcript to follow`() { #expect(Self.names.count >= 20) }

    @Test(.requirement("ERR-01", "ERR-10"), arguments: names)
    func `goes as its transcript says`(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let endpoint = try TestKeychain.endpoint()
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let folders = ["fixtures": Self.fixtures.path, "scratch": scratch.path]
        for step in try Transcript(text).steps {
            let terminal =
                step.typed.map { TestTerminal(typing: $0, outputIsTerminal: step.isScreen) }
                ?? TestTerminal(input: Array(step.input.utf8), outputIsTerminal: step.isScreen)
            let words = step.words.map { Self.path($0, in: folders) }
            for (path, content) in step.given {
                try scratch.write(content, to: Self.path(path, in: folders))
            }
            let handlers: [String: Command.Run] = [
                "migrate": MigrateCommand(.inMemory(home: scratch.path)).run,
                "sync": SyncCommand.run,
            ]
            let status = TestKeychain.run(words, on: endpoint, terminal, handlers: handlers)
            let output = Self.names(in: terminal.outputText, of: folders)
            let diagnostics = Self.names(in: terminal.diagnosticsText, of: folders)
            let place: Comment = "line \(step.line): \(words) wrote\n\(output)\(diagnostics)"
            #expect(Transcript.matches(output, step.output), place)
            #expect(Transcript.matches(diagnostics, step.diagnostics), place)
            #expect(status == step.exitStatus, place)
            let left = try step.left.map {
                try String(contentsOfFile: Self.path($0.key, in: folders), encoding: .utf8)
            }
            #expect(left == step.left.map(\.value), place)
            let permissions = step.files.map {
                ScratchFolder.permissions(of: Self.path($0.path, in: folders))
            }
            #expect(permissions == step.files.map(\.permissions), place)
        }
    }

    /// `fixtures/a` and `scratch/a` as paths that exist; any other word as it is.
    private static func path(_ word: String, in folders: [String: String]) -> String {
        guard let (name, path) = folders.first(where: { word.hasPrefix($0.key + "/") }) else {
            return word
        }
        return path + word.dropFirst(name.count)
    }

    private static func names(in text: String, of folders: [String: String]) -> String {
        folders.reduce(text) { $0.replacing($1.value + "/", with: $1.key + "/") }
    }

    @Test func `is written down in files that are found`() {
        #expect(Self.names.count >= 6)
    }

    @Test(arguments: [
        ("stdout before any command", 1), ("$ keychain 'open quote", 1), ("$", 1),
        ("$ keychain\nexit soon", 2), ("$ keychain\nshouts x", 2),
    ])
    func `is refused where it is malformed`(text: String, line: Int) {
        #expect(throws: Transcript.Malformed(line: line)) { try Transcript(text) }
    }
}
