import Foundation
import KeychainModel
import TestSupport
import Testing

/// A row of the linter's table: a rule, and what the keychain records for the same mistake.
private struct Twin: Sendable, CustomStringConvertible {
    let rule: String
    let finding: String
    let call: String
    let status: String

    var description: String { "\(rule) \(finding)" }

    static let all: [Twin] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Tools/KeychainLint/twins.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            return Twin(
                rule: String(cells[0]),
                finding: String(cells[1]),
                call: String(cells[2]),
                status: String(cells[3])
            )
        }
    }()
}

@Suite struct `A rule of the linter at run time` {
    @Test(.requirement("LNT-13"), arguments: Twin.all)
    fileprivate func `is named by its finding`(twin: Twin) throws {
        let rule = try #require(DiagnosticRule(rawValue: twin.finding))
        let verb = Finding.Verb(rawValue: twin.call) ?? .add
        let status = Int32(twin.status) ?? 0
        let itemClass = twin.rule == "KC402" ? ItemClass.identity : .genericPassword
        let finding = Finding(
            rule,
            verb: verb,
            item: itemClass.rawValue,
            status: SecurityStatus(rawValue: status)
        )
        #expect(finding.lintRules.contains(twin.rule))
        #expect(finding.rule == twin.finding)
    }

    @Test(.requirement("LNT-13"), arguments: DiagnosticRule.allCases)
    func `is in the linter's table`(rule: DiagnosticRule) {
        let rows = Twin.all.filter { $0.finding == rule.rawValue }.map(\.rule)
        #expect(rows.sorted() == rule.lintRules)
    }

    @Test func `is none for a call that was refused for another reason`() {
        let finding = Finding(
            .refusal,
            verb: .delete,
            item: ItemClass.genericPassword.rawValue,
            status: .itemNotFound
        )
        #expect(finding.lintRules == [])
    }
}
