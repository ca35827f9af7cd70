import LintModel
import LintOutput
import LintRules

// The format for code hosts.
extension Verdict {
    /// Returns a document in the Static Analysis Results Interchange Format, version 2.1.0.
    ///
    /// It contains the findings of the linter, the errors of the compiler, and the results of
    /// scenarios.
    package func sarif() throws -> String {
        let errors = (compile?.errors ?? []).map { error in
            Finding(
                rule: Self.compileError.id,
                severity: .error,
                message: error.message,
                place: Self.place(error.file, error.line, error.column)
            )
        }
        return try SARIFOutput.render(
            allFindings + errors + items.compactMap(finding),
            rules: [Self.compileError, Self.refusedAdd, Self.refusedInBackground],
            notDone: notDone
                + unresolved.map { "not run: \($0.place.file):\($0.place.line): \($0.reason)" }
        )
    }

    private static let compileError = SARIFOutput.OtherRule(
        "compile-error",
        .error,
        "The code does not compile against the keychain's interface."
    )
    private static let refusedAdd = SARIFOutput.OtherRule(
        "refused-add",
        .error,
        "The keychain refuses this add."
    )
    private static let refusedInBackground = SARIFOutput.OtherRule(
        "refused-in-background",
        .warning,
        "Code in the background reads the item, and gets nothing."
    )

    private func finding(_ report: ItemReport) -> Finding? {
        if let refused = report.refusedAdd {
            return Finding(
                rule: Self.refusedAdd.id,
                severity: .error,
                message: "The keychain refuses this add: \(refused).",
                place: report.item.place
            )
        }
        guard report.isRefusedInBackground else { return nil }
        let rules = report.backgroundRules.joined(separator: ", ")
        return Finding(
            rule: Self.refusedInBackground.id,
            severity: .warning,
            message: "Background code reads this item and gets nothing (\(rules)).",
            place: report.item.place
        )
    }

    private static func place(_ file: String, _ line: Int, _ column: Int) -> Place {
        Place(file: file, line: line, column: column, endLine: line, endColumn: column, offset: 0)
    }
}
