import SwiftSyntax

// Code collects flags in many ways: in a literal, with `insert` and `formUnion`, from variables
// with one or several flags, or with the result of another method. All of these are one list.

extension Evaluator {
    /// Returns the flags of an access control by their modern names; nil if one is unknown.
    ///
    /// Of several lists, the result is the longest if it contains every flag of the others and none
    /// contains an operator. A mistake in it is then a mistake on the path that leads to it.
    func flagNames(_ value: Value) -> [String]? {
        switch value {
        case .array(let values):
            var names: [String] = []
            for value in values {
                guard let inner = flagNames(value) else { return nil }
                names += inner
            }
            return names
        case .member(let name), .constant(let name): return [KeychainNames.flags[name] ?? name]
        case .anyOf(let values):
            let lists = values.compactMap(flagNames)
            guard lists.count == values.count,
                let longest = lists.max(by: { $0.count < $1.count }),
                lists.allSatisfy({ list in list.allSatisfy(longest.contains) }),
                !longest.contains("or"), !longest.contains("and")
            else { return nil }
            return longest
        default: return nil
        }
    }

    /// Runs a method that changes a set of flags in a variable.
    ///
    /// - Returns: Whether the call is such a method.
    func mutateFlags(_ call: CallInfo, on base: ExprSyntax, _ frame: inout Frame) -> Bool {
        guard let name = Self.own(base), let before = frame.values[name],
            let argument = call.argument(at: 0)
        else { return false }
        guard let after = changed(before, by: call.name, with: evaluate(argument, frame)) else {
            return false
        }
        frame.versions[name, default: 0] += 1
        frame.values[name] = after
        return true
    }

    /// Returns the result of `union` and similar methods; nil for other methods, and if it is not a
    /// set of flags.
    func flags(_ call: CallInfo, on base: ExprSyntax, _ frame: Frame) -> Value? {
        let verbs = ["union": "formUnion", "subtracting": "subtract"]
        guard let verb = verbs[call.name], let argument = call.argument(at: 0) else { return nil }
        return changed(evaluate(base, frame), by: verb, with: evaluate(argument, frame))
    }

    /// Flags that an extension of their type gives a name; nil if it has no such name.
    func flags(named name: String, _ frame: Frame) -> Value? {
        let value = property(name, of: Self.flagsType, frame)
        return flagNames(value) == nil ? nil : value
    }

    /// Flags that are a property of some value, whose type is not followed: what the one property
    /// of that name in the file has.
    func flags(ofProperty name: String, _ frame: Frame) -> Value {
        let stored = file.constants.filter { $0.name.hasSuffix("." + name) }
        let computed = getters[name] ?? []
        guard stored.count + computed.count == 1, frame.depth < 3, let top = file.functions.first
        else { return .unknown }
        let value: Value
        if let property = stored.first {
            guard property.isConstant || !isChanged(name) else { return .unknown }
            value = evaluate(property.value, Frame(function: top, depth: frame.depth + 1))
        } else {
            guard computed[0].id != frame.function.id else { return .unknown }
            value = self.value(returnedBy: computed[0], arguments: [:], frame)
        }
        guard case .array = value, flagNames(value) != nil else { return .unknown }
        return value
    }

    private func isChanged(_ name: String) -> Bool {
        let finder = ChangeFinder(name)
        finder.walk(file.tree)
        return finder.isReplaced
    }

    /// What the parameters for flags have if a caller leaves them out.
    func defaultFlags(of function: FunctionInfo, _ frame: Frame) -> [String: Value] {
        let signature =
            function.node.as(FunctionDeclSyntax.self)?.signature
            ?? function.node.as(InitializerDeclSyntax.self)?.signature
        var values: [String: Value] = [:]
        for parameter in signature?.parameterClause.parameters ?? [] {
            guard let initial = parameter.defaultValue?.value,
                parameter.type.trimmedDescription == Self.flagsType
            else { continue }
            let value = evaluate(initial, frame)
            guard flagNames(value) != nil else { continue }
            values[(parameter.secondName ?? parameter.firstName).text] = value
        }
        return values
    }

    private static let flagsType = "SecAccessControlCreateFlags"

    private func changed(_ value: Value, by verb: String, with other: Value) -> Value? {
        guard ["insert", "append", "formUnion", "update", "remove", "subtract"].contains(verb),
            value.isListOfNames
        else { return nil }
        guard let change = flagNames(other) else { return .unknown }
        let lists = value.alternatives.map { list -> Value in
            guard let names = flagNames(list) else { return .unknown }
            let result =
                ["remove", "subtract"].contains(verb)
                ? names.filter { !change.contains($0) }
                : names + change.filter { !names.contains($0) }
            return .array(result.map(Value.member))
        }
        guard !lists.contains(.unknown), let first = lists.first else { return .unknown }
        return lists.dropFirst().reduce(first) { $0.joined(with: $1) }
    }
}

extension Value {
    /// Whether it is a name, or a list of only names.
    fileprivate var isListOfNames: Bool {
        switch self {
        case .member, .constant: true
        case .array(let values), .anyOf(let values): values.allSatisfy(\.isListOfNames)
        default: false
        }
    }
}
