import CodeCheck
import Foundation
import LintAnalysis
import LintChecks
import LintModel

/// `keychain-lint check-code DIR`: lints and compiles code, and replays its adds in the scenarios.
enum CheckCodeCommand {
    /// Runs the command.
    ///
    /// - Returns: The exit status.
    static func run(_ arguments: [String]) -> Int32 {
        Interruption.endsGroup()
        do {
            let options = try CheckCodeOptions(arguments)
            guard !options.help else {
                write(CheckCodeOptions.helpText)
                return 0
            }
            return try check(options)
        } catch let problem as Options.Problem {
            LintCommand.complain(problem.text)
        } catch {
            LintCommand.complain("\(error)")
        }
        return 2
    }

    private static func check(_ options: CheckCodeOptions) throws -> Int32 {
        LintCommand.complain("lint: reading \(options.directory)")
        let configuration = try LintCommand.configuration(options.configuration)
        let known = try options.baseline.map(Baseline.load)
        let inputs = try ProjectFiles(
            paths: [options.directory],
            exclude: configuration.exclude ?? []
        )
        let project = Project(
            inputs,
            configuration: configuration,
            baselineItems: known?.items ?? []
        )
        let linter = Linter(
            configuration: configuration,
            runsCryptography: options.runsCryptography
        )
        var findings = linter.findings(in: project)
        if options.ignoresSuppressions { findings = LintCommand.unsuppressed(findings) }
        if let path = options.newBaseline {
            try LintCommand.writeBaseline(findings, of: project, to: path)
            return 0
        }
        for problem in linter.commentProblems(in: project, findings) {
            let place = problem.place
            LintCommand.complain("\(place.file):\(place.line): \(problem.message)")
        }
        if let known { findings = known.newFindings(among: findings) }
        var checks = options.check
        checks.swiftVersion = checks.swiftVersion ?? languageMode(options.directory)
        var verdict = CodeCheck(project, findings, checks).verdict(LintCommand.complain)
        verdict.skipped = inputs.skipped
        switch options.format {
        case .text: write(verdict.text)
        case .json: write(try verdict.json())
        case .sarif: write(try verdict.sarif())
        }
        return verdict.exitStatus
    }

    /// Returns the language mode for the tools version of the package; nil without a package.
    ///
    /// If the manifest is a link, it could lead out of the package, so it does not count.
    private static func languageMode(_ directory: String) -> String? {
        let manifest = URL(filePath: directory).appending(path: "Package.swift").path
        guard ProjectFiles.isPlainFile(manifest),
            let text = try? String(contentsOfFile: manifest, encoding: .utf8),
            let version = text.firstMatch(of: /swift-tools-version:\s*(\d+)/)
        else { return nil }
        return version.1 == "6" ? "6" : "5"
    }

    private static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
