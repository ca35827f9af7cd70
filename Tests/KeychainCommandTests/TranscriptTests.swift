import Foundation
import TestSupport
import Testing

@Suite struct `A session at the terminal` {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Transcripts")

    static let names: [String] = {
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (found ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }()

    @Test(.requirement("ERR-01", "ERR-10"), arguments: names)
    func `goes as its transcript says`(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let endpoint = try TestKeychain.endpoint()
        for step in try Transcript(text).steps {
            let terminal =
                step.typed.map { TestTerminal(typing: $0, outputIsTerminal: step.isScreen) }
                ?? TestTerminal(input: Array(step.input.utf8), outputIsTerminal: step.isScreen)
            let status = TestKeychain.run(step.words, on: endpoint, terminal)
            let seen = terminal.outputText + terminal.diagnosticsText
            let place: Comment = "line \(step.line): \(step.words) wrote\n\(seen)"
            #expect(Transcript.matches(terminal.outputText, step.output), place)
            #expect(Transcript.matches(terminal.diagnosticsText, step.diagnostics), place)
            #expect(status == step.exitStatus, place)
        }
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
