import Foundation
import LintModel
import Testing

/// Code that has to have no finding: the good fixtures, and this repository.
private enum CleanCode {
    static let repository = Lint.root.deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the rule and the place of each unexplained finding above a note.
    ///
    /// It also returns each comment that suppresses nothing.
    static func findings(in folder: String) throws -> [String] {
        let settings = Lint.root.appending(path: "own.json").path
        let configuration = try Configuration.load(settings)
        let (found, problems) = try Lint.results(
            at: repository.appending(path: folder),
            configuration: configuration,
            // The pack is about programs that use cryptography; this one implements it.
            runsCryptography: false
        )
        return found.filter { $0.severity > .note && $0.suppression == nil }
            .map { "\($0.place.file):\($0.place.line): \($0.rule)" }
            + problems.map { "\($0.place.file):\($0.place.line): \($0.message)" }
    }

    /// Returns the Swift blocks of the documents, as `file:line` and text.
    static func blocks() throws -> [(place: String, text: String)] {
        var names = try FileManager.default.contentsOfDirectory(atPath: repository.path)
        let folder = repository.appending(path: "Documentation").path
        let walk = FileManager.default.enumerator(atPath: folder)
        names += (walk?.compactMap { $0 as? String } ?? []).map { "Documentation/\($0)" }
        return try names.filter { $0.hasSuffix(".md") }.sorted().flatMap { name in
            let file = repository.appending(path: name)
            return blocks(of: try String(contentsOf: file, encoding: .utf8), name)
        }
    }

    private static func blocks(of text: String, _ name: String) -> [(place: String, text: String)] {
        var found: [(place: String, text: String)] = []
        var open: (line: Int, lines: [Substring])?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let block = open {
                let isOver = line.hasPrefix("```")
                open = isOver ? nil : (block.line, block.lines + [line])
                guard isOver else { continue }
                found.append(("\(name):\(block.line)", block.lines.joined(separator: "\n")))
            } else if line.hasPrefix("```swift") {
                open = (index + 1, [])
            }
        }
        return found
    }
}

@Suite struct `Clean code` {
    @Test(.requirement("LNT-14"), arguments: ["Sources", "Examples", "Tools", "Fuzz"])
    func `of this repository has no finding`(folder: String) throws {
        #expect(try CleanCode.findings(in: folder) == [])
    }

    @Test(.requirement("DOC-06", "DOC-10"))
    func `of the samples has no finding, and says why where it departs`() throws {
        #expect(try CleanCode.findings(in: "Examples/Patterns") == [])
        let names = try FileManager.default.contentsOfDirectory(
            atPath: CleanCode.repository.appending(path: "Examples/Patterns").path
        )
        #expect(names.filter { $0.hasSuffix(".swift") }.count >= 30)
    }

    @Test(.requirement("MAC-14"))
    func `of the samples names the data protection keychain in every call on a Mac`() throws {
        var configuration = Configuration()
        configuration.platform = "macOS"
        let samples = CleanCode.repository.appending(path: "Examples/Patterns")
        let found = try Lint.findings(at: samples, configuration: configuration)
        #expect(found.map(\.rule).filter { $0.hasPrefix("KC8") } == [])
        // The same samples without the flag, so that the rule is known to look at them.
        let names = try FileManager.default.contentsOfDirectory(atPath: samples.path)
        let flag = "kSecUseDataProtectionKeychain as String: true"
        let calling = try names.filter { name in
            let text = try String(contentsOf: samples.appending(path: name), encoding: .utf8)
            // A synchronizable item is in the data protection keychain without the flag, too.
            let isSynchronizable = text.contains("kSecAttrSynchronizable as String: true")
            guard text.contains("SecItemAdd("), !isSynchronizable else { return false }
            let bare = text.replacingOccurrences(of: flag, with: "kSecAttrLabel as String: \"\"")
            return !Lint.findings(bare, configuration: configuration)
                .contains { $0.rule.hasPrefix("KC80") }
        }
        #expect(calling == [])
    }

    /// Blocks that deliberately show a mistake, and its rule.
    private static let demonstrations = ["Documentation/Testing.md KC201", "README.md KC201"]

    @Test(.requirement("LNT-14"))
    func `in the documents has no finding, except where a mistake is shown`() throws {
        let blocks = try CleanCode.blocks()
        #expect(blocks.contains { $0.place.hasPrefix("README.md") })
        let findings = blocks.flatMap { place, text in
            Lint.findings("import Security\n" + text)
                .filter { $0.severity > .note && $0.suppression == nil }
                .map { "\(place.prefix { $0 != ":" }) \($0.rule)" }
        }
        #expect(findings.sorted() == Self.demonstrations)
    }
}
