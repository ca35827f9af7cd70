import SwiftSyntax

/// Finds the changes of a variable in the statements of a file.
final class ChangeFinder: SyntaxVisitor {
    private let name: String
    /// The keys of the entries that get a new value.
    private(set) var keys: [ExprSyntax] = []
    /// Whether the variable can be replaced: by an assignment, a method, or `inout`.
    private(set) var isReplaced = false

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    private func isMeant(_ expression: ExprSyntax?) -> Bool {
        guard var inner = expression else { return false }
        while let next = Evaluator.unwrapped(inner) { inner = next }
        if let member = inner.as(MemberAccessExprSyntax.self) {
            return member.declName.baseName.text == name
        }
        return inner.as(DeclReferenceExprSyntax.self)?.baseName.text == name
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let sign = node.operator.trimmedDescription
        guard node.operator.is(AssignmentExprSyntax.self) || sign.hasSuffix("="),
            !["==", "!=", "<=", ">=", "===", "!=="].contains(sign)
        else { return .visitChildren }
        if isMeant(node.leftOperand) { isReplaced = true }
        if let target = node.leftOperand.as(SubscriptCallExprSyntax.self),
            isMeant(target.calledExpression)
        {
            if sign == "=", target.arguments.count == 1, let key = target.arguments.first {
                keys.append(key.expression)
            } else {
                isReplaced = true
            }
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let member = node.calledExpression.as(MemberAccessExprSyntax.self)
        if let member, isMeant(member.base), member.declName.baseName.text != "merging" {
            isReplaced = true
        }
        return .visitChildren
    }

    override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
        if isMeant(node.expression) { isReplaced = true }
        return .visitChildren
    }
}
