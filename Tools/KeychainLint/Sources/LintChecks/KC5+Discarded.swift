import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    /// The check for a write whose error `try?` discards, although the function of the file reports
    /// it.
    static let discardedWrite = Check("KC501") { file, report in
        guard !file.file.isTest, file.usesKeychain else { return }
        for node in TryFinder.optional(in: file.file.tree) where isDropped(Syntax(node)) {
            guard let call = CallInfo.first(in: node.expression),
                let function = file.file.function(around: call.node),
                let writer = writer(call, from: function, file)
            else { continue }
            report.report(
                node,
                "Nobody hears of an error of \(writer.name): a failed write goes unnoticed.",
                severity: .warning
            )
        }
        for call in file.file.calls where isDropped(Syntax(call.node)) {
            guard let caller = file.file.function(around: call.node),
                let answer = answer(call, from: caller, file),
                // If the result of one write is used, the other one was forgotten.
                file.file.calls.contains(where: { other in
                    other.name == call.name && caller.contains(other.node)
                        && !isDropped(Syntax(other.node))
                })
            else { continue }
            report.report(
                call.node,
                "Nobody reads what \(answer.name) returns: a failed write goes unnoticed.",
                severity: .warning
            )
        }
    }

    /// Returns the function of the file that a call means, if it writes and returns its success.
    private static func answer(
        _ call: CallInfo,
        from caller: FunctionInfo,
        _ file: FileAnalysis
    ) -> FunctionInfo? {
        file.file.functions.first { function in
            function.name == call.name && function.id != caller.id && !function.isTopLevel
                && function.returnType == "Bool"
                && ["SecItemAdd", "SecItemUpdate"].contains(where: function.text.contains)
        }
    }

    /// Returns the function of the file that a call means, if it writes to the keychain and throws.
    private static func writer(
        _ call: CallInfo,
        from caller: FunctionInfo,
        _ file: FileAnalysis
    ) -> FunctionInfo? {
        file.file.functions.first { function in
            function.name == call.name && function.id != caller.id && !function.isTopLevel
                && ["SecItemAdd", "SecItemUpdate"].contains(where: function.text.contains)
                && !function.text.contains("SecItemDelete")
                && function.node.as(FunctionDeclSyntax.self)?
                    .signature.effectSpecifiers?.throwsClause != nil
        }
    }

    /// Whether an expression is a statement, or the whole value for `_`.
    private static func isDropped(_ node: Syntax) -> Bool {
        guard let parent = node.parent else { return false }
        if parent.is(CodeBlockItemSyntax.self) {
            // The only expression of a closure or of a function with a result is the result.
            guard let list = parent.parent?.as(CodeBlockItemListSyntax.self) else { return true }
            return list.count > 1 || list.parent?.is(ClosureExprSyntax.self) != true
        }
        guard let infix = parent.as(InfixOperatorExprSyntax.self) else { return false }
        return infix.operator.is(AssignmentExprSyntax.self)
            && infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
    }
}
