import Foundation
import LintAnalysis
import LintChecks
import LintModel
import LintOutput
import LintRules

/// The command, which reads the options, runs the rules and writes the report.
enum LintCommand {
    /// Runs the command.
    ///
    /// - Returns: The exit status: 0 without errors, 1 with some, 2 if the command cannot run.
    static func run(_ arguments: [String]) -> Int32 {
        if arguments.first == "check-code" {
            return CheckCodeCommand.run(Array(arguments.dropFirst()))
        }
        do {
            let options = try Options(arguments)
            if options.help {
                write(Options.helpText)
                return 0
            }
            if options.version {
                write("keychain-lint \(SARIFOutput.version)\n")
                return 0
            }
            if let rule = options.explain { return explain(rule) }
            return try lint(options)
        } catch let problem as Options.Problem {
            complain(problem.text)
        } catch {
            complain("\(error)")
        }
        return 2
    }

    private static func explain(_ name: String) -> Int32 {
        guard let rule = Catalogue.rule(named: name) else {
            complain(Explanation.refusal(of: name))
            return 2
        }
        write(Explanation.text(of: rule))
        return 0
    }

    private static func lint(_ options: Options) throws -> Int32 {
        let configuration = try configuration(options.configuration)
        let known = try options.baseline.map(Baseline.load)
        let inputs = try ProjectFiles(paths: options.paths, exclude: configuration.exclude ?? [])
        let project = Project(
            inputs,
            configuration: configuration,
            baselineItems: known?.items ?? []
        )
        let linter = Linter(
            configuration: configuration,
            runsCryptography: options.runsCryptography,
            isStrict: options.isStrict
        )
        var findings = linter.findings(in: project)
        let problems = linter.commentProblems(in: project, findings)
        if options.ignoresSuppressions { findings = unsuppressed(findings) }
        if options.fixes {
            let fixed = try fix(findings, inputs)
            findings.removeAll {
                !$0.fixes.isEmpty && $0.suppression == nil && fixed.contains($0.place.file)
            }
        }
        if let path = options.newBaseline {
            try writeBaseline(findings, of: project, to: path)
            return 0
        }
        if let known { findings = known.newFindings(among: findings) }
        let report = Self.report(findings, problems, project, inputs)
        if let name = options.checklist {
            let status = try check(name, report, options)
            return status == 0 && !project.unread.isEmpty ? 1 : status
        }
        try write(report, options)
        // An unread file is not a success; with `exclude`, the user can accept it.
        return report.hasErrors || !project.unread.isEmpty ? 1 : 0
    }

    /// Returns the settings of a file, or else of the usual file, if that exists.
    static func configuration(_ path: String?) throws -> Configuration {
        if let path { return try Configuration.load(path) }
        let usual = ".keychain-lint.json"
        guard FileManager.default.fileExists(atPath: usual) else { return Configuration() }
        return try Configuration.load(usual)
    }

    /// Returns the findings without suppressions.
    static func unsuppressed(_ findings: [Finding]) -> [Finding] {
        findings.map { finding in
            var finding = finding
            finding.suppression = nil
            return finding
        }
    }

    /// Writes the findings that a later run leaves out.
    static func writeBaseline(_ findings: [Finding], of project: Project, to path: String) throws {
        let active = findings.filter { $0.suppression == nil }
        let items = Items.all(in: project)
        try Baseline(findings: active, items: items, path: path).write(path)
        complain("wrote \(active.count) finding\(active.count == 1 ? "" : "s") to \(path)")
    }

    /// Applies the fixes.
    ///
    /// - Returns: The files that were changed.
    private static func fix(_ findings: [Finding], _ inputs: ProjectFiles) throws -> Set<String> {
        let fixable = findings.filter { !$0.fixes.isEmpty && $0.suppression == nil }
        var fixed: Set<String> = []
        let byFile = Dictionary(grouping: fixable) { $0.place.file }
        for source in inputs.sources {
            guard let edits = byFile[source.path]?.flatMap(\.fixes) else { continue }
            guard FileManager.default.contents(atPath: source.path) == Data(source.text.utf8) else {
                complain("not fixed: \(source.path) has bytes that are not UTF-8")
                continue
            }
            let text = TextEdit.apply(edits, to: source.text)
            try Data(text.utf8).writePlainly(to: source.path, options: .atomic)
            complain("fixed \(source.path)")
            fixed.insert(source.path)
        }
        return fixed
    }

    private static func report(
        _ findings: [Finding],
        _ problems: [CommentProblem],
        _ project: Project,
        _ inputs: ProjectFiles
    ) -> Report {
        let paths = Set(findings.map(\.place.file))
        let lists =
            inputs.targets.flatMap { [$0.info?.source, $0.entitlements?.source].compactMap { $0 } }
            + inputs.buildSettings.map(\.source)
        let texts = (inputs.sources + lists).filter { paths.contains($0.path) }
        return Report(
            findings: findings,
            sources: Dictionary(
                texts.map { ($0.path, $0) },
                uniquingKeysWith: { first, _ in first }
            ),
            files: project.files.map { ($0.file.source, $0.file.isTest) },
            resolved: project.resolvedDictionaries,
            invalidComments: problems,
            skipped: inputs.skipped
        )
    }

    private static func check(_ name: String, _ report: Report, _ options: Options) throws -> Int32
    {
        guard let checklist = Checklist.named(name) else {
            let names = Checklist.all.map(\.name).joined(separator: ", ")
            complain("no checklist is called \(name); there are \(names)")
            return 2
        }
        let outcome = ChecklistReport(checklist, report)
        write(options.format == .json ? try outcome.json() : outcome.text())
        return outcome.hasFailures ? 1 : 0
    }

    private static func write(_ report: Report, _ options: Options) throws {
        switch options.format {
        case .text:
            let usesColors = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
            let output = TextOutput(usesColors: usesColors, showsNotes: options.showsNotes)
            write(output.render(report))
        case .json: write(try JSONOutput.render(report))
        case .sarif: write(try SARIFOutput.render(report))
        case .annotations:
            write(AnnotationOutput.render(report, showsNotes: options.showsNotes))
        }
    }

    private static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        try? FileHandle.standardError.write(
            contentsOf: Data("keychain-lint: \(text.visible)\n".utf8)
        )
    }
}
