import Foundation
import LintAnalysis
import LintModel
import LintRules

/// The work of `keychain-lint check-code`: lint, compile and run.
///
///     let verdict = CodeCheck(project, findings, options).verdict { print($0) }
///     verdict.exitStatus   // 1 if something is wrong
package struct CodeCheck {
    package struct Options: Sendable {
        package var package: String?
        package var swiftVersion: String?
        /// The time limit of the compiler for a target.
        package var compileSeconds = 120
        /// The time limit of one scenario.
        package var scenarioSeconds = 20

        package init() {}
    }

    private let project: Project
    private let findings: [Finding]
    private let options: Options

    package init(_ project: Project, _ findings: [Finding], _ options: Options) {
        self.project = project
        self.findings = findings
        self.options = options
    }

    /// Does each part; if one cannot be done, the verdict gives the reason.
    ///
    /// - Parameter progress: Receives a line at the start of each part.
    /// - Returns: The findings of all parts.
    package func verdict(_ progress: (String) -> Void) -> Verdict {
        let active = findings.filter { $0.suppression == nil }
        var verdict = Verdict(
            files: project.files.count,
            findings: active.filter { $0.severity != .note },
            allFindings: findings
        )
        verdict.notDone += project.notes.map { "lint: \($0)" }
        let adds = ResolvedAdds(project)
        verdict.unresolved = adds.unresolved
        do throws(Checkout.Problem) {
            let checkout = try Checkout(path: options.package)
            if checkout.modules == nil || checkout.simulate == nil {
                do { try checkout.build(progress) } catch {
                    verdict.notDone.append("build: \(error)")
                }
            }
            try checkout.requireSafeBuild()
            compile(checkout, &verdict, progress)
            run(adds.items, checkout, &verdict, progress)
        } catch {
            verdict.notDone.append("compile and run: \(error)")
        }
        return verdict
    }

    private func compile(
        _ checkout: Checkout,
        _ verdict: inout Verdict,
        _ progress: (String) -> Void
    ) {
        progress("compile: type-checking the files that use the keychain")
        guard let modules = checkout.modules else {
            verdict.notDone.append("compile: the modules of swift-keychain are not built")
            return
        }
        guard let compiler = Program.named("swiftc") else {
            verdict.notDone.append("compile: there is no swiftc in PATH")
            return
        }
        let part = CompilePart(
            compiler: compiler,
            modules: modules,
            swiftVersion: options.swiftVersion,
            seconds: options.compileSeconds
        )
        do {
            let report = try part.report(on: project)
            verdict.compile = report
            if report.compiledFiles.isEmpty, report.skippedFiles.isEmpty {
                verdict.notDone.append("compile: no file uses the keychain")
            }
            verdict.notDone += Self.leftOut(report)
            verdict.notDone += report.skippedFiles.map { file, module in
                "compile: \(file) imports \(module), which does not exist here"
            }
        } catch {
            verdict.notDone.append("compile: \(error)")
        }
    }

    /// Returns the messages of the compiler that are in no list of the verdict.
    private static func leftOut(_ report: CompileReport) -> [String] {
        let stray = report.strayErrors.map { error in
            "compile: an error in no file of the project: \(error.file): \(error.message)"
        }
        guard report.isCut else { return stray }
        let mebibytes = Program.limit >> 20
        return stray + ["compile: the compiler wrote more than \(mebibytes) MiB; the rest is lost"]
    }

    private func run(
        _ items: [CheckedItem],
        _ checkout: Checkout,
        _ verdict: inout Verdict,
        _ progress: (String) -> Void
    ) {
        progress(
            "run: replaying \(items.count == 1 ? "1 add" : "\(items.count) adds") in six scenarios"
        )
        guard let simulate = checkout.simulate else {
            verdict.notDone.append("run: keychain-simulate is not built")
            return
        }
        let run = ScenarioRun(simulate: simulate, seconds: options.scenarioSeconds)
        for item in items {
            do {
                var report = try run.report(on: item)
                report.backgroundRules = backgroundRules(item)
                if let problem = report.problem {
                    let place = "\(item.place.file):\(item.place.line)"
                    verdict.notDone.append("run: \(place): \(problem)")
                }
                verdict.items.append(report)
            } catch {
                verdict.notDone.append("run: \(error)")
            }
        }
    }

    /// ★ The rules about code in the background that cannot read an item which it uses.
    private static let backgroundRules: Set<String> = ["KC203", "KC206", "KC303", "KC310"]

    /// Returns the rules with a finding that is at this add or refers to it.
    private func backgroundRules(_ item: CheckedItem) -> [String] {
        let found = findings.filter { finding in
            let places = [finding.place] + finding.related.map(\.place)
            return Self.backgroundRules.contains(finding.rule)
                && places.contains { place in
                    place.file == item.place.file && place.line == item.place.line
                }
        }
        return Set(found.map(\.rule)).sorted()
    }
}
