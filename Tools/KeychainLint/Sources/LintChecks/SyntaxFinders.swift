import LintAnalysis
import SwiftSyntax

/// Finds assignments to a member or variable.
final class AssignmentFinder: SyntaxVisitor {
    private let name: String
    private(set) var found: [InfixOperatorExprSyntax] = []

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.operator.is(AssignmentExprSyntax.self) else { return .visitChildren }
        let left = node.leftOperand
        let target =
            left.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? left.as(DeclReferenceExprSyntax.self)?.baseName.text
        if target == name { found.append(node) }
        return .visitChildren
    }
}

/// Finds the states and calls of the code after a successful prompt.
final class GateFinder: SyntaxVisitor {
    private(set) var effects: [Syntax] = []

    private static let states = [
        "auth", "unlock", "loggedin", "signedin", "verified", "access", "granted",
    ]
    private static let actions = [
        "unlock", "login", "signin", "reveal", "decrypt", "showsecret", "showvault", "grant",
    ]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.operator.is(AssignmentExprSyntax.self) else { return .visitChildren }
        let left = node.leftOperand.trimmedDescription.lowercased()
        let right = node.rightOperand.trimmedDescription
        guard Self.states.contains(where: left.contains), !left.contains("reuseduration"),
            right == "true" || right == "success" || right == "false" && left.contains("locked")
        else { return .visitChildren }
        effects.append(Syntax(node))
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard let call = CallInfo(node), call.name != "evaluatePolicy" else {
            return .visitChildren
        }
        let name = call.name.lowercased()
        let isEffect = Self.actions.contains(where: name.hasPrefix) && !name.contains("fail")
        if isEffect { effects.append(Syntax(node)) }
        return .visitChildren
    }
}

/// The value of a product of numbers.
enum Arithmetic {
    static func value(of expression: ExprSyntax) -> Double? {
        if let node = expression.as(IntegerLiteralExprSyntax.self) {
            return Double(node.literal.text.filter { $0 != "_" })
        }
        if let node = expression.as(FloatLiteralExprSyntax.self) {
            return Double(node.literal.text.filter { $0 != "_" })
        }
        if let node = expression.as(TupleExprSyntax.self), node.elements.count == 1 {
            return node.elements.first.flatMap { value(of: $0.expression) }
        }
        guard let node = expression.as(InfixOperatorExprSyntax.self),
            let left = value(of: node.leftOperand), let right = value(of: node.rightOperand)
        else { return nil }
        switch node.operator.trimmedDescription {
        case "*": return left * right
        case "+": return left + right
        default: return nil
        }
    }
}

/// Code after a failed condition that gives up.
enum DeadEnd {
    /// Whether the other branch of the condition around a call does nothing.
    static func follows(_ call: FunctionCallExprSyntax) -> Bool {
        var current: Syntax? = Syntax(call)
        while let node = current {
            if let choice = node.as(IfExprSyntax.self) {
                let isNegated = choice.conditions.trimmedDescription.hasPrefix("!")
                if isNegated { return isEmpty(choice.body.statements) }
                guard case .codeBlock(let block)? = choice.elseBody else {
                    return choice.elseBody == nil
                }
                return isEmpty(block.statements)
            }
            if let choice = node.as(GuardStmtSyntax.self) {
                return isEmpty(choice.body.statements)
            }
            if node.is(CodeBlockItemSyntax.self) { return false }
            current = node.parent
        }
        return false
    }

    /// Whether a list has no statement, or only a return of nothing, nil or false.
    static func isEmpty(_ list: CodeBlockItemListSyntax) -> Bool {
        guard list.count <= 1 else { return false }
        guard let item = list.first?.item else { return true }
        return isNothing(Syntax(item))
    }

    /// Whether a statement returns nothing about the failure.
    static func isNothing(_ node: Syntax) -> Bool {
        if let node = node.as(ReturnStmtSyntax.self) {
            guard let value = node.expression else { return true }
            return isNothing(value: value)
        }
        return node.is(ContinueStmtSyntax.self) || node.is(BreakStmtSyntax.self)
    }

    static func isNothing(value: ExprSyntax) -> Bool {
        let text = value.trimmedDescription.filter { !$0.isWhitespace }
        return ["nil", "false", "[]", "[:]", "\"\"", "()", "Data()", ".none", "0", "(nil,nil)"]
            .contains(text)
    }
}
