import Foundation
import LintModel
import LintOutput
import Testing

private let ignored =
    "import Security\nfunc save(_ item: CFDictionary) { SecItemAdd(item, nil) }\n"

/// Names that speak to a terminal or to a CI system.
private let names = [
    "a\n::error file=x::pwned\nb.swift", "::error file=x::pwned.swift", "a\u{1B}[2Jb.swift",
    "a##[error]pwned.swift", "a\r\n::error::pwned.swift",
]

@Suite struct `A file name from outside` {
    /// Returns whether a line is a command, or controls a terminal.
    private func speaks(_ text: String) -> Bool {
        let isEscape = text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }
        return isEscape || text.contains("##[")
            || text.split(whereSeparator: \.isNewline).contains { line in
                line.drop(while: \.isWhitespace).hasPrefix("::")
            }
    }

    @Test(arguments: names, [[], ["--checklist", "overview"], ["check-code"]])
    func `does not speak in a report`(name: String, words: [String]) throws {
        let command = try Command([name: ignored])
        let rest = words == ["check-code"] ? ["--package", "/nowhere"] : []
        let run = try command.run(words + rest + ["."])
        #expect(run.output.contains(".swift:2") || run.output.contains("pwned"), "\(run.output)")
        #expect(!speaks(run.output), "\(run.output)")
        #expect(!speaks(run.problems), "\(run.problems)")
    }

    @Test(arguments: names) func `makes one annotation`(name: String) throws {
        let place = SourceText(path: name, text: "x").place(ofLine: 1)
        let report = Report(
            findings: [Finding(rule: "KC501", severity: .error, message: "m", place: place)],
            sources: [:],
            files: [],
            resolved: (0, 0),
            invalidComments: []
        )
        let text = AnnotationOutput.render(report, showsNotes: false)
        #expect(text.split(whereSeparator: \.isNewline).count == 1)
        #expect(text.hasPrefix("::error file="))
        #expect(!text.dropFirst(13).contains("::error"))
    }
}

@Suite struct `What a run does not read` {
    private func project() throws -> Command {
        let command = try Command(["Store.swift": ignored])
        let files = FileManager.default
        for name in ["Pods", "node_modules"] {
            let folder = command.folder.appending(path: name)
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try command.put(ignored, at: "\(name)/Other.swift")
        }
        try files.createSymbolicLink(
            atPath: command.folder.appending(path: "Link.swift").path,
            withDestinationPath: "Store.swift"
        )
        let wide = try #require(ignored.data(using: .utf16))
        try wide.write(to: command.folder.appending(path: "Wide.swift"))
        return command
    }

    private static let line =
        "not read: 1 link (Link.swift); 2 folders of other code (Pods, node_modules);"
        + " 1 file that is not UTF-8 (Wide.swift)\n"

    @Test func `is in one line at the end`() throws {
        let text = try project().run(".").output
        #expect(text.contains("\n1 file: 1 error, "))
        #expect(text.hasSuffix(Self.line), "\(text)")
    }

    @Test func `is in a verdict`() throws {
        let text = try project().run("check-code", "--package", "/nowhere", ".").output
        #expect(text.contains(Self.line), "\(text)")
    }

    @Test(arguments: [
        ["--format", "json"], ["check-code", "--package", "/x", "--format", "json"],
    ])
    func `is in JSON, with the reason`(words: [String]) throws {
        let text = try project().run(words + ["."]).output
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let skipped = try #require(json?["skipped"] as? [[String: String]])
        let known = Set(skipped.map { "\($0["path"] ?? ""): \($0["reason"] ?? "")" })
        #expect(
            known == [
                "Link.swift: link", "Pods: folder", "node_modules: folder",
                "Wide.swift: not UTF-8",
            ]
        )
    }

    @Test func `is no file with a single zero byte, which a compiler reads`() throws {
        let run = try Command(["Store.swift": ignored + "// \0\n"]).run(".")
        #expect(run.status == 1)
        #expect(!run.output.contains("not read"))
    }

    @Test func `is named if there is nothing else`() throws {
        let command = try project()
        let run = try command.run("Wide.swift")
        #expect(run.status == 2)
        #expect(run.problems.contains("not read: 1 file that is not UTF-8 (Wide.swift)"))
    }
}
