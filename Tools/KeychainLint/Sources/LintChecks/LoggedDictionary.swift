import LintAnalysis
import SwiftSyntax

/// A search for dictionaries with a secret in the arguments of a call that logs.
enum LoggedDictionary {
    struct Found {
        let argument: ExprSyntax
        /// The key of the secret.
        let key: String
        let entry: Syntax
    }

    /// Returns the first argument that writes a dictionary with a secret in plain text.
    static func secret(in call: CallInfo, isLogger: Bool, _ file: ParsedFile) -> Found? {
        let format = call.node.arguments.first?.expression.trimmedDescription ?? ""
        for (index, argument) in call.node.arguments.enumerated() {
            let isFormatted =
                index > 0 && (call.name == "NSLog" || isLogger && format.contains("%{public}"))
            for value in written(argument.expression, isLogger && !isFormatted) {
                guard let entry = secretEntry(of: value, before: call.node.start, file) else {
                    continue
                }
                return Found(argument: argument.expression, key: entry.key, entry: entry.node)
            }
        }
        return nil
    }

    /// Returns the expressions that an argument writes.
    ///
    /// They are the argument itself or the interpolated values of a literal; for a logger, only
    /// public ones.
    private static func written(_ argument: ExprSyntax, _ isLogger: Bool) -> [ExprSyntax] {
        guard let literal = argument.as(StringLiteralExprSyntax.self) else {
            return isLogger ? [] : [argument]
        }
        return literal.segments.compactMap { segment in
            guard let part = segment.as(ExpressionSegmentSyntax.self) else { return nil }
            let privacy = part.expressions.first { $0.label?.text == "privacy" }
            guard !isLogger || privacy?.expression.trimmedDescription == ".public" else {
                return nil
            }
            return part.expressions.first?.expression
        }
    }

    private typealias Entry = (key: String, node: Syntax)

    private static func secretEntry(
        of expression: ExprSyntax,
        before limit: Int,
        _ file: ParsedFile
    ) -> Entry? {
        let inner = unwrapped(expression)
        if let literal = inner.as(DictionaryExprSyntax.self) { return secretEntry(of: literal) }
        guard let name = inner.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let function = file.function(around: expression)
        else { return nil }
        return secretEntry(of: name, before: limit, in: function, depth: 3)
    }

    /// Returns the secret in a variable at a place; the last change of that key decides.
    private static func secretEntry(
        of name: String,
        before limit: Int,
        in function: FunctionInfo,
        depth: Int
    ) -> Entry? {
        guard depth > 0 else { return nil }
        let changes = DictionaryChangeFinder(name, before: limit)
        changes.walk(function.body)
        guard !changes.isRemoved else { return nil }
        var cleared: Set<String> = []
        for change in changes.found.reversed() {
            guard let key = secretKey(change.key), !cleared.contains(key) else { continue }
            if isSecret(change.value) { return (key, Syntax(change.node)) }
            cleared.insert(key)
        }
        let initial = InitialValueFinder(name, before: limit)
        initial.walk(function.body)
        guard let value = initial.value.map(unwrapped) else { return nil }
        let entry: Entry?
        if let literal = value.as(DictionaryExprSyntax.self) {
            entry = secretEntry(of: literal)
        } else if let other = value.as(DeclReferenceExprSyntax.self)?.baseName.text, other != name {
            entry = secretEntry(of: other, before: value.start, in: function, depth: depth - 1)
        } else {
            entry = nil
        }
        return entry.flatMap { cleared.contains($0.key) ? nil : $0 }
    }

    private static func secretEntry(of literal: DictionaryExprSyntax) -> Entry? {
        guard let elements = literal.content.as(DictionaryElementListSyntax.self) else {
            return nil
        }
        for element in elements {
            guard let key = secretKey(element.key), isSecret(element.value) else { continue }
            return (key, Syntax(element))
        }
        return nil
    }

    /// Returns the key of a secret: `kSecValueData`, or a text with the name of a secret.
    private static func secretKey(_ expression: ExprSyntax) -> String? {
        let text = expression.trimmedDescription
        if text.contains("kSecValueData") || text == "\"v_Data\"" { return "kSecValueData" }
        guard let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
            SecretNames.isSecret(name)
        else { return nil }
        return name
    }

    /// Whether a value can be the secret: neither a literal nor a hidden value.
    private static func isSecret(_ value: ExprSyntax) -> Bool {
        let isPlain =
            value.is(BooleanLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
            || value.is(FloatLiteralExprSyntax.self) || value.is(NilLiteralExprSyntax.self)
        guard !isPlain else { return false }
        if let literal = value.as(StringLiteralExprSyntax.self) {
            return literal.representedLiteralValue == nil
        }
        let hiding = ["redact", "mask", "hidden", ".count", "isempty", "hash", "sha256", "seal"]
        let text = value.trimmedDescription.lowercased()
        return !hiding.contains(where: text.contains)
    }

    /// Returns the dictionary inside casts, `!`, `.description` and `String(describing:)`.
    private static func unwrapped(_ expression: ExprSyntax) -> ExprSyntax {
        if let node = expression.as(AsExprSyntax.self) { return unwrapped(node.expression) }
        if let node = expression.as(ForceUnwrapExprSyntax.self) {
            return unwrapped(node.expression)
        }
        if let node = expression.as(TupleExprSyntax.self), node.elements.count == 1,
            let element = node.elements.first
        {
            return unwrapped(element.expression)
        }
        if let node = expression.as(MemberAccessExprSyntax.self), let base = node.base,
            ["description", "debugDescription"].contains(node.declName.baseName.text)
        {
            return unwrapped(base)
        }
        if let node = expression.as(FunctionCallExprSyntax.self),
            node.calledExpression.trimmedDescription == "String",
            let argument = node.arguments.first,
            ["describing", "reflecting"].contains(argument.label?.text)
        {
            return unwrapped(argument.expression)
        }
        return expression
    }
}

/// Finds `name[key] = value` before a place, and calls that remove an entry.
private final class DictionaryChangeFinder: SyntaxVisitor {
    private let name: String
    private let limit: Int
    private(set) var found: [(key: ExprSyntax, value: ExprSyntax, node: InfixOperatorExprSyntax)] =
        []
    private(set) var isRemoved = false

    init(_ name: String, before limit: Int) {
        self.name = name
        self.limit = limit
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self), node.start < limit,
            let target = node.leftOperand.as(SubscriptCallExprSyntax.self),
            target.calledExpression.trimmedDescription == name,
            let key = target.arguments.first?.expression
        {
            found.append((key, node.rightOperand, node))
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.start < limit, let call = CallInfo(node), call.base == name else {
            return .visitChildren
        }
        if call.name.hasPrefix("remove") { isRemoved = true }
        return .visitChildren
    }
}
