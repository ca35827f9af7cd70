import SwiftSyntax

/// Constants of all files, for names that a file does not declare itself.
package struct ConstantIndex: Sendable {
    private var values: [String: Value] = [:]

    package init(_ files: [ParsedFile]) {
        var ambiguous: Set<String> = []
        for file in files {
            for constant in file.constants where constant.isConstant {
                let value = Self.literal(constant.value)
                guard values[constant.name] == nil else {
                    if values[constant.name] != value { ambiguous.insert(constant.name) }
                    continue
                }
                values[constant.name] = value
            }
        }
        for name in ambiguous { values[name] = .unknown }
    }

    package func value(of name: String) -> Value { values[name] ?? .unknown }

    /// Texts, truth values and names of constants; everything else depends on its file.
    private static func literal(_ expression: ExprSyntax) -> Value {
        var inner = expression
        while let next = Evaluator.unwrapped(inner) { inner = next }
        if let text = inner.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
            return .string(text)
        }
        if let name = inner.as(DeclReferenceExprSyntax.self)?.baseName.text,
            Evaluator.isGlobalName(name)
        {
            return .constant(name)
        }
        if let call = inner.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            ["String", "NSString"].contains(call.calledExpression.trimmedDescription),
            let argument = call.arguments.first?.expression
        {
            return literal(argument)
        }
        if let literal = inner.as(BooleanLiteralExprSyntax.self) {
            return .bool(literal.literal.text == "true")
        }
        return .unknown
    }
}
