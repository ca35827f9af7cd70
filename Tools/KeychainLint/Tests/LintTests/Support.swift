import Foundation
import LintAnalysis
import LintChecks
import LintModel
import LintRules

/// Runs the linter in a test.
enum Lint {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the findings in one text.
    static func findings(
        _ text: String,
        path: String = "App.swift",
        configuration: Configuration = Configuration(),
        isStrict: Bool = false
    ) -> [Finding] {
        let inputs = ProjectFiles(sources: [SourceText(path: path, text: text)])
        let linter = Linter(
            configuration: configuration,
            runsCryptography: true,
            isStrict: isStrict
        )
        return linter.findings(in: Project(inputs, configuration: configuration))
    }

    /// Returns the problems of a text's comments to the linter.
    static func commentProblems(
        _ text: String,
        path: String = "App.swift",
        runsCryptography: Bool = true
    ) -> [CommentProblem] {
        let inputs = ProjectFiles(sources: [SourceText(path: path, text: text)])
        let project = Project(inputs, configuration: Configuration())
        let linter = Linter(runsCryptography: runsCryptography)
        return linter.commentProblems(in: project, linter.findings(in: project))
    }

    /// Returns the rules that a text breaks, without notes.
    static func rules(_ text: String, path: String = "App.swift") -> [String] {
        findings(text, path: path).filter { $0.severity > .note }.map(\.rule).sorted()
    }

    /// Returns the findings in the files of a path, with the settings and baseline beside them.
    static func findings(
        at path: URL,
        configuration: Configuration? = nil,
        runsCryptography: Bool = true
    ) throws -> [Finding] {
        try results(at: path, configuration: configuration, runsCryptography: runsCryptography)
            .findings
    }

    /// Returns the findings, and the problems of comments to the linter.
    static func results(
        at path: URL,
        configuration: Configuration? = nil,
        runsCryptography: Bool = true
    ) throws -> (findings: [Finding], problems: [CommentProblem]) {
        let settings = path.appending(path: "config.json").path
        let old = path.appending(path: "baseline.json").path
        let files = FileManager.default
        var configuration = configuration ?? Configuration()
        if files.fileExists(atPath: settings) { configuration = try Configuration.load(settings) }
        let baseline = files.fileExists(atPath: old) ? try Baseline.load(old) : nil
        let project = Project(
            try ProjectFiles(paths: [path.path], exclude: configuration.exclude ?? []),
            configuration: configuration,
            baselineItems: baseline?.items ?? []
        )
        let linter = Linter(configuration: configuration, runsCryptography: runsCryptography)
        let findings = linter.findings(in: project)
        return (findings, linter.commentProblems(in: project, findings))
    }
}

/// A piece of code with the rule that it breaks or keeps.
struct Fixture: Sendable, CustomStringConvertible {
    let rule: String
    let name: String

    var path: URL { Lint.root.appending(path: "Fixtures/\(rule)/\(name)") }
    var description: String { "\(rule)/\(name)" }
    var isBad: Bool { name.hasPrefix("bad") }
    /// Whether it is one file, and not a folder of them.
    var isBadFile: Bool { isBad && name.hasSuffix(".swift") }

    static let all: [Fixture] = {
        let folder = Lint.root.appending(path: "Fixtures").path
        let rules = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return rules.filter { $0.hasPrefix("K") }.sorted().flatMap { rule -> [Fixture] in
            let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(rule)")
            return (names ?? []).sorted().map { Fixture(rule: rule, name: $0) }
        }
    }()

    /// Returns the places at which comments announce a finding, as `file:line`.
    func expectations() throws -> Set<String> {
        let walk = FileManager.default.enumerator(atPath: path.path)
        let inner = walk?.compactMap { $0 as? String } ?? []
        let files = inner.isEmpty ? [path.path] : inner.map { "\(path.path)/\($0)" }
        var expected: Set<String> = []
        for file in files {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated() where line.contains("// expect") || line.contains("<!-- expect")
            {
                expected.insert("\(file):\(index + 1)")
            }
        }
        return expected
    }
}
