import SwiftSyntax

extension Evaluator {
    // MARK: Values

    /// Returns the known value of an expression.
    func evaluate(_ expression: ExprSyntax, _ frame: Frame) -> Value {
        guard step() else { return .unknown }
        if let inner = Self.unwrapped(expression) { return evaluate(inner, frame) }
        if let node = expression.as(DictionaryExprSyntax.self) { return dictionary(node, frame) }
        if let node = expression.as(ArrayExprSyntax.self) {
            return Value.array(node.elements.map { evaluate($0.expression, frame) }).bounded
        }
        if let node = expression.as(StringLiteralExprSyntax.self) {
            return node.representedLiteralValue.map(Value.string) ?? .unknown
        }
        if let node = expression.as(BooleanLiteralExprSyntax.self) {
            return .bool(node.literal.text == "true")
        }
        if let node = expression.as(IntegerLiteralExprSyntax.self) {
            let digits = node.literal.text.filter { $0 != "_" }
            return Double(digits).map(Value.number) ?? .unknown
        }
        if let node = expression.as(FloatLiteralExprSyntax.self) {
            return Double(node.literal.text.filter { $0 != "_" }).map(Value.number) ?? .unknown
        }
        if let node = expression.as(DeclReferenceExprSyntax.self) {
            return evaluate(name: node.baseName.text, at: Syntax(node), frame)
        }
        if let node = expression.as(MemberAccessExprSyntax.self) { return member(node, frame) }
        if let node = expression.as(FunctionCallExprSyntax.self) { return call(node, frame) }
        if let node = expression.as(TernaryExprSyntax.self) {
            let first = evaluate(node.thenExpression, frame)
            return first.joined(with: evaluate(node.elseExpression, frame))
        }
        if let node = expression.as(InfixOperatorExprSyntax.self) { return infix(node, frame) }
        return .unknown
    }

    /// Returns the expression inside casts, parentheses and words that only mark an expression.
    static func unwrapped(_ expression: ExprSyntax) -> ExprSyntax? {
        if let node = expression.as(AsExprSyntax.self) { return node.expression }
        if let node = expression.as(ForceUnwrapExprSyntax.self) { return node.expression }
        if let node = expression.as(TryExprSyntax.self) { return node.expression }
        if let node = expression.as(AwaitExprSyntax.self) { return node.expression }
        if let node = expression.as(UnsafeExprSyntax.self) { return node.expression }
        if let node = expression.as(OptionalChainingExprSyntax.self) { return node.expression }
        if let node = expression.as(TupleExprSyntax.self), node.elements.count == 1 {
            return node.elements.first?.expression
        }
        return nil
    }

    private func evaluate(name: String, at node: Syntax, _ frame: Frame) -> Value {
        if let value = frame.values[name] { return value }
        if name == "kCFBooleanTrue" { return .bool(true) }
        if name == "kCFBooleanFalse" { return .bool(false) }
        if let type = frame.typeName {
            let value = property(name, of: type, frame, at: node)
            if !value.isUnknown { return value }
        }
        let value = constant(named: name)
        if !value.isUnknown { return value }
        return Self.isGlobalName(name) ? .constant(name) : .unknown
    }

    static func isGlobalName(_ name: String) -> Bool {
        name.hasPrefix("kSec") || name.hasPrefix("errSec") || name.hasPrefix("LATouchID")
    }

    private func member(_ node: MemberAccessExprSyntax, _ frame: Frame) -> Value {
        let name = node.declName.baseName.text
        guard let base = node.base else { return flags(named: name, frame) ?? .member(name) }
        let text = base.trimmedDescription
        if ["self", "Self"].contains(text), let type = frame.typeName {
            return property(name, of: type, frame, at: Syntax(node))
        }
        if ["SecAccessControlCreateFlags", "FileProtectionType", "Data.WritingOptions"]
            .contains(text)
        {
            return flags(named: name, frame) ?? .member(name)
        }
        if ["utf8", "rawValue", "boolValue"].contains(name) { return evaluate(base, frame) }
        if text.first?.isUppercase == true {
            let type = text.split(separator: ".").last.map(String.init) ?? text
            let value = property(name, of: type, frame, at: Syntax(node))
            return value.isUnknown ? flags(ofProperty: name, frame) : value
        }
        return flags(ofProperty: name, frame)
    }

    /// The value of a constant or computed property of a type.
    func property(
        _ name: String,
        of type: String,
        _ frame: Frame,
        at node: Syntax? = nil
    ) -> Value {
        let value = constant(named: "\(type).\(name)")
        if !value.isUnknown { return value }
        guard frame.depth < 3 else { return .unknown }
        let getters = (getters[name] ?? []).filter { $0.typeName == type }
        if getters.isEmpty, let node {
            return elsewhere(property: name, of: type, at: node, frame)
        }
        guard getters.count == 1, getters[0].id != frame.function.id else { return .unknown }
        return self.value(returnedBy: getters[0], arguments: [:], frame)
    }

    func constant(named name: String) -> Value {
        if let known = knownConstants[name] { return known }
        let own = constants[name] ?? []
        if own.count == 1, let top = file.functions.first {
            guard evaluatingConstants.insert(name).inserted else { return .unknown }
            defer { evaluatingConstants.remove(name) }
            var value = evaluate(own[0].value, Frame(function: top))
            if !own[0].isConstant { value = stored(own[0], value) }
            // Another function may have enough steps left to evaluate it.
            if !isSpent { knownConstants[name] = value }
            return value
        }
        return own.isEmpty ? index.value(of: name) : .unknown
    }

    /// Returns the state of a property that changes; nil if the type has no such property.
    func storedProperty(_ name: String, _ frame: Frame) -> Value? {
        frame.typeName.map { property(name, of: $0, frame) }
    }

    /// Returns the certain part of a dictionary in a private `var`, in any function.
    ///
    /// It consists of the entries that no statement of the file changes.
    private func stored(_ variable: ParsedFile.Constant, _ value: Value) -> Value {
        guard variable.isPrivate, case .dictionary(var dictionary) = value,
            let name = variable.name.split(separator: ".").last.map(String.init)
        else { return .unknown }
        let finder = ChangeFinder(name)
        finder.walk(file.tree)
        guard !finder.isReplaced, let top = file.functions.first else { return .unknown }
        guard !finder.keys.isEmpty else { return value }
        for key in finder.keys {
            guard let key = keyName(evaluate(key: key, Frame(function: top))) else {
                return .unknown
            }
            dictionary.remove(key.name, revision: nextRevision())
        }
        dictionary.open(revision: nextRevision())
        return .dictionary(dictionary)
    }

    private func infix(_ node: InfixOperatorExprSyntax, _ frame: Frame) -> Value {
        let sign = node.operator.trimmedDescription
        if sign == "??" {
            let left = evaluate(node.leftOperand, frame)
            let right = evaluate(node.rightOperand, frame)
            return left.isUnknown ? .unknown : left.joined(with: right)
        }
        if sign == "|" {
            let left = flagNames(evaluate(node.leftOperand, frame))
            let right = flagNames(evaluate(node.rightOperand, frame))
            guard let left, let right else { return .unknown }
            return Value.array((left + right).map(Value.member)).bounded
        }
        let left = evaluate(node.leftOperand, frame).number
        let right = evaluate(node.rightOperand, frame).number
        guard let left, let right else { return .unknown }
        switch sign {
        case "*": return .number(left * right)
        case "+": return .number(left + right)
        case "-": return .number(left - right)
        case "/": return right == 0 ? .unknown : .number(left / right)
        default: return .unknown
        }
    }

    // MARK: Dictionaries

    private func dictionary(_ node: DictionaryExprSyntax, _ frame: Frame) -> Value {
        var result = QueryDictionary(literal: Syntax(node), revision: nextRevision())
        guard case .elements(let elements) = node.content else { return .dictionary(result) }
        for element in elements {
            add(element.value, for: element.key, at: Syntax(element), to: &result, frame)
        }
        return .dictionary(result)
    }

    /// Sets a value for a key, or opens the dictionary if the key is unknown.
    func add(
        _ value: ExprSyntax,
        for key: ExprSyntax,
        at node: Syntax,
        to dictionary: inout QueryDictionary,
        _ frame: Frame
    ) {
        let known = evaluate(key: key, frame)
        if value.is(NilLiteralExprSyntax.self) {
            if let name = keyName(known) {
                dictionary.remove(name.name, revision: nextRevision())
            } else {
                dictionary.open(revision: nextRevision())
            }
            return
        }
        guard let name = keyName(known) else {
            dictionary.open(revision: nextRevision())
            return
        }
        var content = evaluate(value, frame).bounded
        if name.name == "kSecClass", case .string(let text) = content,
            let constant = KeychainNames.rawClasses[text]
        {
            content = .constant(constant)
        }
        let isOptional = value.is(OptionalChainingExprSyntax.self)
        var entry = QueryDictionary.Entry(
            key: name.name,
            value: content,
            expression: value,
            node: node
        )
        entry.isRawKey = name.isRaw
        entry.isCertain = !isOptional
        dictionary.set(entry, revision: nextRevision())
    }

    /// Returns the value of a key; `.service` can be a constant of an extension of `String`.
    func evaluate(key: ExprSyntax, _ frame: Frame) -> Value {
        let value = evaluate(key, frame)
        guard case .member(let name) = value,
            key.as(MemberAccessExprSyntax.self)?.base == nil
        else { return value }
        return constant(named: "String.\(name)")
    }

    func keyName(_ value: Value) -> (name: String, isRaw: Bool)? {
        switch value {
        case .constant(let name): (name, false)
        case .string(let text): KeychainNames.rawKeys[text].map { ($0, true) } ?? (text, false)
        default: nil
        }
    }
}
