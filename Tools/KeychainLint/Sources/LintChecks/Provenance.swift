import LintAnalysis
import SwiftSyntax

/// The origin of an expression's value, as text: the expression, and the initial values of its
/// variables.
enum Provenance {
    static func text(
        of expression: some SyntaxProtocol,
        in function: FunctionInfo,
        _ file: ParsedFile,
        depth: Int = 3
    ) -> String {
        var text = expression.trimmedDescription
        guard depth > 0 else { return text }
        let names = IdentifierFinder(viewMode: .sourceAccurate)
        names.walk(Syntax(expression))
        for name in Set(names.found) {
            let finder = InitialValueFinder(name, before: expression.start)
            finder.walk(function.body)
            if let value = finder.value {
                text += "\n" + Self.text(of: value, in: function, file, depth: depth - 1)
            } else if let constant = file.constants.first(where: {
                $0.name == name || $0.name == "\(function.typeName ?? "").\(name)"
            }) {
                text += "\n" + constant.value.trimmedDescription
            }
        }
        return text
    }
}

private final class IdentifierFinder: SyntaxVisitor {
    private(set) var found: [String] = []

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        found.append(node.baseName.text)
        return .visitChildren
    }
}

/// Finds the last value that a variable receives before a place.
final class InitialValueFinder: SyntaxVisitor {
    private let name: String
    private let limit: Int
    private(set) var value: ExprSyntax?

    init(_ name: String, before limit: Int) {
        self.name = name
        self.limit = limit
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if node.pattern.trimmedDescription == name, node.start < limit,
            let initial = node.initializer?.value
        {
            value = initial
        }
        return .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        if node.pattern.trimmedDescription == name, node.start < limit,
            let initial = node.initializer?.value
        {
            value = initial
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self), node.start < limit,
            node.leftOperand.as(DeclReferenceExprSyntax.self)?.baseName.text == name
        {
            value = node.rightOperand
        }
        return .visitChildren
    }
}
