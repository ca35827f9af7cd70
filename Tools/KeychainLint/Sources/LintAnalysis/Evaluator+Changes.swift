import SwiftSyntax

extension Evaluator {
    /// Runs an assignment.
    ///
    /// - Returns: Whether the expression is an assignment.
    func assign(_ expression: ExprSyntax, _ frame: inout Frame) -> Bool {
        guard let node = expression.as(InfixOperatorExprSyntax.self) else { return false }
        let sign = node.operator.trimmedDescription
        guard node.operator.is(AssignmentExprSyntax.self) || sign.hasSuffix("="),
            !["==", "!=", "<=", ">=", "===", "!=="].contains(sign)
        else { return false }
        var left = node.leftOperand
        while let inner = Self.unwrapped(left) { left = inner }
        if let target = left.as(SubscriptCallExprSyntax.self) {
            assign(node.rightOperand, to: target, &frame)
        } else if let name = Self.local(left) {
            frame.versions[name, default: 0] += 1
            if sign == "=" {
                let value = evaluate(node.rightOperand, frame)
                frame.values[name] = value
                note(value, frame)
            } else if case .dictionary(var dictionary)? = frame.values[name] {
                if sign == "+=" {
                    merge(node.rightOperand, into: &dictionary, frame)
                } else {
                    dictionary.open(revision: nextRevision())
                }
                frame.values[name] = .dictionary(dictionary)
            } else {
                frame.values[name] = .unknown
            }
        } else {
            consume(evaluate(node.rightOperand, frame))
        }
        return true
    }

    /// Runs an assignment to an entry, such as `query[kSecClass as String] = …`.
    private func assign(
        _ value: ExprSyntax,
        to target: SubscriptCallExprSyntax,
        _ frame: inout Frame
    ) {
        guard let name = Self.local(target.calledExpression),
            let key = target.arguments.first?.expression
        else { return }
        frame.versions[name, default: 0] += 1
        let node = target.parent.map { $0 } ?? Syntax(target)
        guard var dictionary = changing(name, key, target, frame) else { return }
        add(value, for: key, at: node, to: &dictionary, frame)
        frame.values[name] = .dictionary(dictionary)
        note(.dictionary(dictionary), frame)
    }

    /// Returns the dictionary that an assignment changes.
    ///
    /// It is a known one, a stored property of the type, or one from elsewhere, of which this entry
    /// is the first known one.
    private func changing(
        _ name: String,
        _ key: ExprSyntax,
        _ target: SubscriptCallExprSyntax,
        _ frame: Frame
    ) -> QueryDictionary? {
        switch frame.values[name] {
        case .dictionary(let dictionary)?: return dictionary
        case .unknown?, .result?: break
        case nil:
            if case .dictionary(let dictionary)? = storedProperty(name, frame) {
                return dictionary
            }
        default: return nil
        }
        guard case .constant(let constant) = evaluate(key: key, frame),
            constant.hasPrefix("kSec")
        else { return nil }
        var dictionary = QueryDictionary(literal: Syntax(target), revision: nextRevision())
        dictionary.open(revision: nextRevision())
        return dictionary
    }

    /// Runs a method that changes a dictionary.
    func mutate(_ expression: ExprSyntax, _ frame: inout Frame) {
        var inner = expression
        while let next = Self.unwrapped(inner) { inner = next }
        guard let node = inner.as(FunctionCallExprSyntax.self), let call = CallInfo(node),
            let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
            !mutateFlags(call, on: base, &frame), let name = Self.local(base),
            case .dictionary(var dictionary)? = frame.values[name]
        else { return }
        let first = call.argument(at: 0)
        switch call.name {
        case "merge", "addEntries": merge(first, into: &dictionary, frame)
        case "removeValue", "removeObject":
            if let first, let key = keyName(evaluate(first, frame)) {
                dictionary.remove(key.name, revision: nextRevision())
            } else {
                dictionary.open(revision: nextRevision())
            }
        case "setObject", "setValue", "updateValue":
            guard let first, let key = call.argument(at: 1) else { return }
            add(first, for: key, at: Syntax(node), to: &dictionary, frame)
        default: return
        }
        frame.versions[name, default: 0] += 1
        frame.values[name] = .dictionary(dictionary)
        note(.dictionary(dictionary), frame)
    }

    /// Records the last state of a dictionary in a variable.
    private func note(_ value: Value, _ frame: Frame) {
        guard frame.depth == 0, let dictionary = value.dictionary,
            !dictionary.literal.is(SubscriptCallExprSyntax.self)
        else { return }
        fragments[dictionary.literal.start] = (dictionary, frame.function)
    }

    /// Returns the name of a local variable, even with `self`.
    private static func local(_ expression: ExprSyntax) -> String? {
        var inner = expression
        while let next = unwrapped(inner) { inner = next }
        return inner.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// Returns the name of a variable or of a property of `self`.
    static func own(_ expression: ExprSyntax) -> String? {
        if let member = expression.as(MemberAccessExprSyntax.self),
            member.base?.trimmedDescription == "self"
        {
            return member.declName.baseName.text
        }
        return local(expression)
    }
}
