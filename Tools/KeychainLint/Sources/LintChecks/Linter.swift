import LintAnalysis
import LintModel
import LintRules

/// A run of every rule on a project.
package struct Linter: Sendable {
    package let configuration: Configuration
    /// Whether the rules about cryptography also run.
    package let runsCryptography: Bool
    package let isStrict: Bool

    package init(
        configuration: Configuration = Configuration(),
        runsCryptography: Bool = false,
        isStrict: Bool = false
    ) {
        self.configuration = configuration
        self.runsCryptography = runsCryptography
        self.isStrict = isStrict || configuration.strict == true
    }

    /// Returns the findings in a project, by file and line.
    package func findings(in project: Project) -> [Finding] {
        // Even the checks of several files walk trees, which needs the stack of a worker.
        Project.map([project]) { self.allFindings(in: $0) }.first ?? []
    }

    private func allFindings(in project: Project) -> [Finding] {
        let facts = ProjectFacts(project)
        let perFile = Project.map(Array(project.files.indices)) { index in
            let analysis = project.files[index]
            var reporter = Reporter(facts: facts)
            reporter.file = analysis.file
            for check in Check.all where isOn(check.rule) {
                reporter.rule = check.rule
                check.run(analysis, &reporter)
            }
            return reporter.findings
        }
        var reporter = Reporter(facts: facts)
        for check in ProjectCheck.all where isOn(check.rule) {
            reporter.rule = check.rule
            check.run(facts, &reporter)
        }
        let all = Overlaps.removed(from: unique(perFile.flatMap { $0 } + reporter.findings))
        return finish(all, project)
    }

    private func isOn(_ id: String) -> Bool {
        guard let rule = Catalogue.byID[id] else { return false }
        if let configured = configuration.severity(of: rule) { return configured != nil }
        return !rule.isOptional && (!rule.isCrypto || runsCryptography)
    }

    /// Returns the findings with at most one of a rule at a place.
    private func unique(_ findings: [Finding]) -> [Finding] {
        var seen: Set<String> = []
        return findings.filter {
            seen.insert("\($0.rule) \($0.place.file) \($0.place.offset)").inserted
        }
    }

    /// Applies severities, suppressions and fingerprints, and sorts.
    private func finish(_ findings: [Finding], _ project: Project) -> [Finding] {
        let files = Dictionary(
            project.files.map { ($0.file.source.path, $0.file) },
            uniquingKeysWith: { first, _ in first }
        )
        var counts: [String: Int] = [:]
        return findings.map { finding in
            var finding = finding
            if let rule = Catalogue.byID[finding.rule],
                let configured = configuration.severity(of: rule), let severity = configured
            {
                finding.severity = severity
            } else if isStrict, finding.rule == "KC201" {
                finding.severity = .error
            }
            guard let file = files[finding.place.file] else { return finding }
            finding.suppression = suppression(of: finding, in: file)
            let line = file.source.line(finding.place.line)
            let hash = Finding.fingerprint(rule: finding.rule, line: line)
            let count = counts[finding.place.file + hash, default: 0]
            counts[finding.place.file + hash] = count + 1
            finding.fingerprint = "\(hash)-\(count)"
            return finding
        }
        .sorted {
            ($0.place.file, $0.place.line, $0.place.column, $0.rule)
                < ($1.place.file, $1.place.line, $1.place.column, $1.rule)
        }
    }

    /// Returns the problems of comments to the linter.
    ///
    /// The findings are all that this linter has in the project.
    ///
    /// A rule for several files may find nothing because some files are missing, so its comments
    /// count as used.
    package func commentProblems(in project: Project, _ findings: [Finding]) -> [CommentProblem] {
        let byFile = Dictionary(grouping: findings) { $0.place.file }
        return project.files.flatMap { analysis in
            let source = analysis.file.source
            let own = byFile[source.path] ?? []
            let unused = analysis.file.suppressions.flatMap { suppression in
                suppression.rules.compactMap { name -> CommentProblem? in
                    guard let rule = Catalogue.rule(named: name), isOn(rule.id),
                        rule.detection != .project,
                        !own.contains(where: {
                            $0.rule == rule.id && suppression.lines.contains($0.place.line)
                        })
                    else { return nil }
                    let text = "this comment suppresses nothing: \(name) finds nothing there."
                    return CommentProblem(
                        place: source.place(ofLine: suppression.line),
                        message: text
                    )
                }
            }
            return (source.problems(of: analysis.file.comments) + unused).sorted {
                $0.place.line < $1.place.line
            }
        }
    }

    private func suppression(of finding: Finding, in file: ParsedFile) -> String? {
        let name = Catalogue.byID[finding.rule]?.name ?? ""
        return file.suppressions.first {
            $0.covers(rule: finding.rule, name: name, line: finding.place.line)
        }?.reason
    }
}

/// A choice between rules that report the same mistake, in favor of the more precise one.
enum Overlaps {
    static func removed(from findings: [Finding]) -> [Finding] {
        let byFile = Dictionary(grouping: findings) { $0.place.file }
        return findings.filter { finding in
            guard let rule = Catalogue.byID[finding.rule], !rule.yieldsTo.isEmpty else {
                return true
            }
            let others = byFile[finding.place.file] ?? []
            return !others.contains { other in
                rule.yieldsTo.contains(other.rule)
                    && !Set(other.subjects).isDisjoint(with: finding.subjects)
            }
        }
    }
}
