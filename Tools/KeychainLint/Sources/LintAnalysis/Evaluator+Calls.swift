import SwiftSyntax

extension Evaluator {
    /// Names of conversions that do not change a value: `String(kSecClass)`, `NSNumber(value:
    /// true)`.
    private static let wrappers: Set<String> = [
        "String", "NSString", "NSNumber", "Data", "NSData", "Bool", "CFDictionary", "NSDictionary",
        "NSMutableDictionary", "TimeInterval", "Double", "Int", "CFString", "StaticString",
        "SecAccessControlCreateFlags", "Set",
    ]

    private static let wrapperLabels: Set<String> = [
        "value", "booleanLiteral", "bool", "dictionary", "string", "format", "rawValue", "",
    ]

    /// The value that a call returns.
    func call(_ node: FunctionCallExprSyntax, _ frame: Frame) -> Value {
        if let empty = emptyDictionary(node) { return empty }
        if let closure = node.calledExpression.as(ClosureExprSyntax.self), node.arguments.isEmpty {
            return value(of: closure, frame)
        }
        guard let call = CallInfo(node) else { return .unknown }
        if call.name == "SecAccessControlCreateWithFlags" {
            return .accessControl(accessControl(node, frame))
        }
        if Self.wrappers.contains(call.name), call.base.isEmpty {
            return wrapped(call, frame)
        }
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self),
            let base = member.base, let value = method(call, on: base, frame)
        {
            return value
        }
        if let function = function(for: call, frame), frame.depth < 3 {
            return value(returnedBy: function, arguments: bind(call, to: function, frame), frame)
        }
        if let value = elsewhere(call, frame) { return value }
        return wrapper(call, frame) ?? .result(call.name)
    }

    /// Returns the value of `{ … }()`.
    private func value(of closure: ClosureExprSyntax, _ frame: Frame) -> Value {
        guard frame.depth < 3, spend() else { return .unknown }
        var inner = frame
        inner.depth += 1
        inner.returned = []
        execute(closure.statements, &inner)
        if inner.returned.isEmpty, closure.statements.count == 1,
            case .expr(let expression)? = closure.statements.first?.item
        {
            return evaluate(expression, inner)
        }
        guard let first = inner.returned.first, !isSpent else { return .unknown }
        return inner.returned.dropFirst().reduce(first) { $0.joined(with: $1) }
    }

    /// `[String: Any]()` and its like.
    private func emptyDictionary(_ node: FunctionCallExprSyntax) -> Value? {
        let callee = node.calledExpression
        let text = callee.trimmedDescription
        let isDictionary =
            callee.as(DictionaryExprSyntax.self) != nil || text.hasPrefix("Dictionary<")
            || text == "NSMutableDictionary"
        guard isDictionary, node.arguments.isEmpty else { return nil }
        var dictionary = QueryDictionary(literal: Syntax(node), revision: nextRevision())
        dictionary.isReference = text == "NSMutableDictionary"
        return .dictionary(dictionary)
    }

    private func wrapped(_ call: CallInfo, _ frame: Frame) -> Value {
        guard let first = call.node.arguments.first else {
            return call.name == "SecAccessControlCreateFlags" ? .array([]) : .unknown
        }
        if let keys = call.argument("forKeys"), let objects = call.argument("objects") {
            return pairs(keys, objects, Syntax(call.node), frame)
        }
        guard Self.wrapperLabels.contains(first.label?.text ?? "") else { return .unknown }
        let value = evaluate(first.expression, frame)
        switch call.name {
        case "Data", "NSData": return value.string == nil ? .unknown : .data(value)
        case "NSMutableDictionary":
            guard case .dictionary(var dictionary) = value else { return .unknown }
            dictionary.isReference = true
            return .dictionary(dictionary)
        default: return value
        }
    }

    /// Returns the value of `NSMutableDictionary(objects:forKeys:)`.
    private func pairs(
        _ keys: ExprSyntax,
        _ objects: ExprSyntax,
        _ node: Syntax,
        _ frame: Frame
    ) -> Value {
        func list(_ expression: ExprSyntax) -> [ExprSyntax]? {
            var inner = expression
            while let next = Self.unwrapped(inner) { inner = next }
            return inner.as(ArrayExprSyntax.self)?.elements.map(\.expression)
        }
        guard let keys = list(keys), let objects = list(objects), keys.count == objects.count
        else { return .unknown }
        var dictionary = QueryDictionary(literal: node, revision: nextRevision())
        dictionary.isReference = true
        for (key, object) in zip(keys, objects) {
            add(object, for: key, at: Syntax(object), to: &dictionary, frame)
        }
        return .dictionary(dictionary)
    }

    private func method(_ call: CallInfo, on base: ExprSyntax, _ frame: Frame) -> Value? {
        switch call.name {
        case "data" where call.argument("using") != nil:
            let value = evaluate(base, frame)
            return value.string == nil ? .unknown : .data(value)
        case "merging":
            guard case .dictionary(var dictionary) = evaluate(base, frame) else { return nil }
            merge(call.argument(at: 0), into: &dictionary, frame)
            return .dictionary(dictionary)
        case "union", "subtracting": return flags(call, on: base, frame)
        case "copy", "mutableCopy": return evaluate(base, frame)
        case "takeUnretainedValue", "takeRetainedValue": return evaluate(base, frame)
        default: return nil
        }
    }

    func merge(_ other: ExprSyntax?, into dictionary: inout QueryDictionary, _ frame: Frame) {
        if let other, case .dictionary(let added) = evaluate(other, frame) {
            dictionary.merge(added, revision: nextRevision())
        } else {
            dictionary.open(revision: nextRevision())
        }
    }

    private func accessControl(_ node: FunctionCallExprSyntax, _ frame: Frame) -> AccessControl {
        let arguments = node.arguments.map(\.expression)
        let protection = arguments.dropFirst().first.map { evaluate($0, frame) }
        let flags = arguments.dropFirst(2).first
        let control = AccessControl(
            call: node,
            protection: protection?.name,
            flags: flags.flatMap { flagNames(evaluate($0, frame)) },
            flagsNode: flags.map { Syntax($0) } ?? Syntax(node)
        )
        if frame.depth == 0 || control.flags != nil { record(control, in: frame.function) }
        return control
    }

    // MARK: Functions of this file

    /// Returns the one function of the file that a call means.
    func function(for call: CallInfo, _ frame: Frame) -> FunctionInfo? {
        guard ["", "self", "Self", frame.typeName].contains(call.base) else { return nil }
        let labels = call.node.arguments.map { $0.label?.text }
        let candidates = file.functions.filter { function in
            guard function.name == call.name, !function.isProperty, !function.isTopLevel,
                function.id != frame.function.id
            else { return false }
            let names = function.parameters.map(\.label)
            return names == labels || labels.count < names.count && Self.isPrefix(labels, of: names)
        }
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// Whether these labels appear in order; parameters between them have default values.
    static func isPrefix(_ labels: [String?], of names: [String?]) -> Bool {
        var rest = names[...]
        for label in labels {
            guard let index = rest.firstIndex(of: label) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    func bind(_ call: CallInfo, to function: FunctionInfo, _ frame: Frame) -> [String: Value] {
        var bound: [String: Value] = [:]
        var rest = function.parameters[...]
        for argument in call.node.arguments {
            guard let index = rest.firstIndex(where: { $0.label == argument.label?.text }) else {
                continue
            }
            bound[rest[index].name] = evaluate(argument.expression, frame)
            rest = rest[(index + 1)...]
        }
        return bound
    }

    /// Returns the value that a function of this file returns for some arguments.
    func value(
        returnedBy function: FunctionInfo,
        arguments: [String: Value],
        _ frame: Frame
    ) -> Value {
        guard spend() else { return .unknown }
        var inner = Frame(function: function)
        inner.depth = frame.depth + 1
        for parameter in function.parameters {
            inner.values[parameter.name] = arguments[parameter.name] ?? .unknown
        }
        execute(function.body, &inner)
        guard !isSpent else { return .unknown }
        if inner.returned.isEmpty, function.body.count == 1,
            case .expr(let expression)? = function.body.first?.item
        {
            return evaluate(expression, inner)
        }
        guard let first = inner.returned.first else { return .unknown }
        return inner.returned.dropFirst().reduce(first) { $0.joined(with: $1) }
    }

    // MARK: Calls inside expressions

    /// Visits the calls inside an expression, in the order of their text.
    func scan(_ node: some SyntaxProtocol, _ frame: inout Frame) {
        let finder = CallFinder(viewMode: .sourceAccurate)
        finder.walk(Syntax(node))
        for call in finder.calls { visit(call, &frame) }
        for closure in finder.closures {
            var inner = frame
            let clause = closure.signature?.parameterClause?.trimmedDescription ?? ""
            let names = clause.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            for name in names { inner.values[String(name)] = .unknown }
            inner.values[names.first.map(String.init) ?? "$0"] = element(for: closure, frame)
            let returned = inner.returned
            execute(closure.statements, &inner)
            inner.returned = returned
            for (name, value) in inner.values where frame.values[name] != nil {
                frame.values[name] = frame.values[name]?.joined(with: value)
            }
        }
    }

    private func visit(_ node: FunctionCallExprSyntax, _ frame: inout Frame) {
        guard let call = CallInfo(node) else { return }
        if let roles = KeychainNames.verbs[call.name], call.base.isEmpty || call.base == "Security"
        {
            use(node, call, roles, &frame)
        } else if call.name == "SecAccessControlCreateWithFlags" {
            _ = accessControl(node, frame)
        } else if !["CFDictionary", "print"].contains(call.name) {
            passOn(call, &frame)
            // The use of flags in the function depends on its arguments.
            if !node.arguments.isEmpty, let helper = function(for: call, frame), frame.depth < 2,
                helper.parameters.contains(where: { $0.type.contains("AccessControlCreateFlags") })
            {
                _ = self.call(node, frame)
            }
        }
    }

    /// Records each dictionary of a call of the keychain, with its role.
    private func use(
        _ node: FunctionCallExprSyntax,
        _ call: CallInfo,
        _ roles: [QueryUse.Role],
        _ frame: inout Frame
    ) {
        let values = node.arguments.map { evaluate($0.expression, frame) }
        for value in values { consume(value) }
        let variables = node.arguments.compactMap { Self.variable($0.expression) }
        let record = SecurityCall(
            name: call.name,
            node: node,
            function: frame.function,
            arguments: values,
            resultName: node.arguments.dropFirst().first.flatMap { Self.result($0.expression) },
            status: StatusFlow(of: node, in: frame.function),
            variables: Dictionary(
                variables.map { ($0, frame.versions[$0] ?? 0) },
                uniquingKeysWith: { first, _ in first }
            )
        )
        if frame.depth == 0 { self.record(record) }
        for (role, value) in zip(roles, values) {
            guard case .dictionary(let dictionary) = value, role != .other else { continue }
            if frame.depth > 0, !isFromCaller(dictionary, frame) { continue }
            self.record(
                QueryUse(
                    role: role,
                    dictionary: dictionary,
                    call: record,
                    function: frame.function,
                    isInlined: frame.depth > 0
                )
            )
        }
    }

    /// Whether a dictionary in a helper was made outside of it.
    private func isFromCaller(_ dictionary: QueryDictionary, _ frame: Frame) -> Bool {
        let body = frame.function.node.span
        return dictionary.origins.contains { !body.contains($0) }
    }

    /// Evaluates a call of another function.
    ///
    /// A helper of this file is followed with its arguments. Any other function may change a
    /// dictionary in any way.
    private func passOn(_ call: CallInfo, _ frame: inout Frame) {
        let arguments = call.node.arguments
        let hasDictionary = arguments.contains { argument in
            var inner = argument.expression
            if let reference = inner.as(InOutExprSyntax.self) { inner = reference.expression }
            return evaluate(inner, frame).dictionary != nil
        }
        guard hasDictionary else { return }
        let helper = frame.depth < 3 ? function(for: call, frame) : nil
        for argument in arguments {
            consume(evaluate(argument.expression, frame))
            let inout_ = argument.expression.as(InOutExprSyntax.self)?.expression
            guard
                let name = (inout_ ?? argument.expression).as(DeclReferenceExprSyntax.self)?
                    .baseName.text, case .dictionary(var dictionary)? = frame.values[name]
            else { continue }
            consumed.formUnion(dictionary.origins)
            guard helper == nil, inout_ != nil || dictionary.isReference else { continue }
            dictionary.open(revision: nextRevision())
            frame.values[name] = .dictionary(dictionary)
        }
        guard let helper else { return }
        follow(call, into: helper, &frame)
    }

    /// Runs a helper with the arguments of a call, and takes over its changes of `inout` arguments.
    private func follow(_ call: CallInfo, into helper: FunctionInfo, _ frame: inout Frame) {
        guard spend() else { return forget(call, &frame) }
        var inner = Frame(function: helper)
        inner.depth = frame.depth + 1
        for parameter in helper.parameters { inner.values[parameter.name] = .unknown }
        var changed: [(outer: String, inner: String)] = []
        var rest = helper.parameters[...]
        for argument in call.node.arguments {
            guard let index = rest.firstIndex(where: { $0.label == argument.label?.text }) else {
                continue
            }
            let parameter = rest[index]
            rest = rest[(index + 1)...]
            let expression = argument.expression
            let reference = expression.as(InOutExprSyntax.self)?.expression
            let value = evaluate(reference ?? expression, frame)
            inner.values[parameter.name] = value
            let name = (reference ?? expression).as(DeclReferenceExprSyntax.self)?.baseName.text
            if let name, reference != nil || value.dictionary?.isReference == true {
                changed.append((name, parameter.name))
            }
        }
        execute(helper.body, &inner)
        if isSpent { return forget(call, &frame) }
        for pair in changed { frame.values[pair.outer] = inner.values[pair.inner] ?? .unknown }
    }

    /// Makes all values unknown that a helper can change which is not followed.
    private func forget(_ call: CallInfo, _ frame: inout Frame) {
        for argument in call.node.arguments {
            let reference = argument.expression.as(InOutExprSyntax.self)?.expression
            guard let name = Self.variable(reference ?? argument.expression),
                reference != nil || frame.values[name]?.dictionary?.isReference == true
            else { continue }
            frame.values[name] = .unknown
        }
    }

    /// Returns the variable that an argument names.
    static func variable(_ expression: ExprSyntax) -> String? {
        var inner = expression
        while let next = unwrapped(inner) { inner = next }
        return inner.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// Returns the variable in `&result`.
    private static func result(_ expression: ExprSyntax) -> String? {
        if let node = expression.as(InOutExprSyntax.self) {
            return node.expression.as(DeclReferenceExprSyntax.self)?.baseName.text
        }
        return nil
    }
}

/// Collects the calls outside of closures, and the closures.
private final class CallFinder: SyntaxVisitor {
    private(set) var calls: [FunctionCallExprSyntax] = []
    private(set) var closures: [ClosureExprSyntax] = []

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        closures.append(node)
        return .skipChildren
    }

    override func visitPost(_ node: FunctionCallExprSyntax) { calls.append(node) }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
