import SwiftSyntax

/// The constants of all files, and the functions and properties that return dictionaries.
///
/// They serve for names that a file does not declare itself.
package struct ConstantIndex: Sendable {
    private var values: [String: Value] = [:]
    private var makers: [String: [Maker]] = [:]

    /// A function that returns a dictionary.
    struct Maker: Sendable {
        let file: ParsedFile
        let function: FunctionInfo
    }

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
        for file in files {
            for function in file.functions where Self.isMaker(function) {
                let owner = function.typeName ?? ""
                makers["\(owner).\(function.name)", default: []]
                    .append(Maker(file: file, function: function))
            }
        }
    }

    private static func isMaker(_ function: FunctionInfo) -> Bool {
        let modifiers = function.node.as(FunctionDeclSyntax.self)?.modifiers ?? []
        guard let type = function.returnType, !function.isTopLevel,
            modifiers.allSatisfy({ !["private", "fileprivate"].contains($0.name.text) })
        else { return false }
        return type.hasPrefix("[") && type.contains(":") || type.contains("Dictionary")
            || type.hasSuffix("Query")
    }

    /// Returns the one function that a call in a type means, if it returns a dictionary.
    func function(for call: CallInfo, in type: String?) -> Maker? {
        let owners: [String]
        switch call.base {
        case "": owners = type.map { ["", $0] } ?? [""]
        case "self", "Self": owners = type.map { [$0] } ?? []
        default: owners = [call.base]
        }
        let overloads = owners.flatMap { makers["\($0).\(call.name)"] ?? [] }
        // If there are this many, they are the same name in different programs.
        guard !overloads.isEmpty, overloads.count < 9 else { return nil }
        let labels = call.node.arguments.map { $0.label?.text }
        let found = overloads.filter { maker in
            !maker.function.isProperty
                && Evaluator.isPrefix(labels, of: maker.function.parameters.map(\.label))
        }
        return found.count == 1 ? found[0] : nil
    }

    func property(_ name: String, of type: String) -> Maker? {
        let found = (makers["\(type).\(name)"] ?? []).filter(\.function.isProperty)
        return found.count == 1 ? found[0] : nil
    }

    package func value(of name: String) -> Value { values[name] ?? .unknown }

    /// Returns texts, truth values and names of constants; all other values depend on their file.
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
