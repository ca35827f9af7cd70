import Foundation
import LintModel
import LintRules

/// The results of all parts of a check of code.
package struct Verdict: Sendable {
    package enum Word: String, Sendable { case pass, warnings, fail }

    let files: Int
    let findings: [Finding]
    /// All findings, including notes and suppressed ones.
    let allFindings: [Finding]
    var compile: CompileReport?
    var items: [ItemReport] = []
    var unresolved: [UnresolvedAdd] = []
    /// The paths below the directory that were not read.
    package var skipped: [SkippedPath] = []
    /// Parts that could not be done, with the reason.
    var notDone: [String] = []

    init(files: Int, findings: [Finding], allFindings: [Finding]) {
        self.files = files
        self.findings = findings
        self.allFindings = allFindings
    }

    /// The findings that comments suppress.
    var suppressed: [Finding] {
        allFindings.filter { $0.suppression != nil && $0.severity > .note }
    }

    package var word: Word {
        let hasErrors =
            findings.contains { $0.severity == .error } || compile?.errors.isEmpty == false
            || items.contains { $0.refusedAdd != nil }
        if hasErrors { return .fail }
        let hasWarnings =
            !findings.isEmpty || items.contains { $0.isRefusedInBackground } || !notDone.isEmpty
        return hasWarnings ? .warnings : .pass
    }

    /// 1 for an error, otherwise 0.
    package var exitStatus: Int32 { word == .fail ? 1 : 0 }
}

// The format for people.
extension Verdict {
    package var text: String {
        var lines: [String] = []
        for finding in findings {
            let place = "\(finding.place.file):\(finding.place.line):\(finding.place.column)"
            let name = Catalogue.byID[finding.rule]?.name ?? ""
            lines.append(
                "\(place): \(finding.severity.rawValue): \(finding.message)"
                    + " [\(finding.rule) \(name)]"
            )
        }
        for error in compile?.errors ?? [] {
            lines.append("\(error.file):\(error.line):\(error.column): error: \(error.message)")
        }
        lines += otherErrors
        for item in items { lines += text(item) }
        lines += suppressed.map { finding in
            "\(finding.place.file):\(finding.place.line): suppressed \(finding.severity.rawValue)"
                + " [\(finding.rule)]: \(finding.suppression ?? "")"
        }
        for add in unresolved {
            lines.append("\(add.place.file):\(add.place.line): not run: \(add.reason)")
        }
        if !lines.isEmpty { lines.append("") }
        return (lines + summary).map(\.visiblePath).joined(separator: "\n") + "\n"
    }

    /// The first errors that do not count, and the number of the others.
    private var otherErrors: [String] {
        let errors = compile?.otherErrors ?? []
        guard !errors.isEmpty else { return [] }
        let shown = errors.prefix(10).map {
            "    \($0.file):\($0.line):\($0.column): \($0.message)"
        }
        let rest = errors.count > 10 ? ["    and \(errors.count - 10) more"] : []
        return ["not counted, \(Self.others):"] + shown + rest
    }

    private static let others = "names that the shims lack or other code defines"

    private func text(_ report: ItemReport) -> [String] {
        let item = report.item
        let place = "\(item.place.file):\(item.place.line)"
        guard report.problem == nil else { return [] }
        if let refused = report.refusedAdd {
            return ["\(place): error: the keychain refuses this add: \(refused)"]
        }
        let severity =
            report.isRefusedInBackground
            ? "warning: background code reads this item and gets nothing"
                + " [\(report.backgroundRules.joined(separator: ", "))]"
            : "the item \(item.name)"
        let width = report.outcomes.map(\.moment.count).max() ?? 0
        return ["\(place): \(severity): \(item.protection)"]
            + report.outcomes.map { outcome in
                let moment = outcome.moment.padding(
                    toLength: width,
                    withPad: " ",
                    startingAt: 0
                )
                let word = outcome.kind == .asks ? "asks the user" : outcome.kind.rawValue
                let status =
                    outcome.status == 0 ? "" : " (\(outcome.statusName), \(outcome.status))"
                return "    \(moment)  \(word)\(status)"
            }
    }

    private var summary: [String] {
        var lines = [
            "lint     \(Self.words(files, "file")), \(Self.words(count(.error), "error")),"
                + " \(Self.words(count(.warning), "warning"))" + suppressedWords
        ]
        if let compile {
            let others =
                compile.otherErrors.isEmpty
                ? ""
                : "; \(Self.words(compile.otherErrors.count, "error")) about \(Self.others)"
            lines.append(
                "compile  \(Self.words(compile.compiledFiles.count, "file")),"
                    + " \(Self.words(compile.errors.count, "error"))"
                    + others
            )
        }
        let run = items.filter { $0.problem == nil }
        let refused = run.count { $0.refusedAdd != nil }
        lines.append(
            "run      \(Self.words(run.count, "add")) replayed, "
                + (refused > 0 ? "\(refused) of them refused, " : "")
                + "\(unresolved.count) not run"
        )
        lines += notDone.map { "not done: \($0)" }
        if let line = SkippedPath.line(about: skipped) { lines.append(line) }
        lines.append("verdict: \(word.rawValue)" + suppressedWords)
        return lines
    }

    private var suppressedWords: String {
        suppressed.isEmpty ? "" : ", \(suppressed.count) suppressed"
    }

    private static func words(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }

    private func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }
}

// The format for programs.
extension Verdict {
    /// Returns one JSON document.
    package func json() throws -> String {
        let document: [String: Any] = [
            "version": 1,
            "verdict": word.rawValue,
            "findings": findings.map(object),
            "suppressed": suppressed.map(object),
            "skipped": skipped.map(\.object),
            "compile": compile.map(object) ?? NSNull() as Any,
            "items": items.map(object),
            "unresolved": unresolved.map { add -> [String: Any] in
                ["file": add.place.file, "line": add.place.line, "reason": add.reason]
            },
            "notDone": notDone,
        ]
        let data = try JSONSerialization.data(
            withJSONObject: document,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private func object(_ finding: Finding) -> [String: Any] {
        var object: [String: Any] = [
            "rule": finding.rule, "severity": finding.severity.rawValue,
            "message": finding.message, "file": finding.place.file,
            "line": finding.place.line, "column": finding.place.column,
        ]
        object["reason"] = finding.suppression
        return object
    }

    private func object(_ report: CompileReport) -> [String: Any] {
        [
            "files": report.compiledFiles,
            "errors": report.errors.map(object),
            "otherErrors": report.otherErrors.map(object),
        ]
    }

    private func object(_ error: CompileError) -> [String: Any] {
        [
            "file": error.file, "line": error.line, "column": error.column,
            "message": error.message,
        ]
    }

    private func object(_ report: ItemReport) -> [String: Any] {
        [
            "file": report.item.place.file,
            "line": report.item.place.line,
            "account": report.item.shownAccount ?? NSNull() as Any,
            "service": report.item.shownService ?? NSNull() as Any,
            "madeUp": report.item.madeUp,
            "accessible": report.item.accessible ?? NSNull() as Any,
            "require": report.item.flags,
            "refused": report.refusedAdd ?? NSNull() as Any,
            "backgroundRules": report.backgroundRules,
            "severity": report.refusedAdd != nil
                ? "error" : report.isRefusedInBackground ? "warning" : "information",
            "outcomes": report.outcomes.map { outcome -> [String: Any] in
                [
                    "scenario": outcome.scenario, "moment": outcome.moment,
                    "outcome": outcome.kind.rawValue, "status": outcome.status,
                    "name": outcome.statusName,
                ]
            },
        ]
    }
}
