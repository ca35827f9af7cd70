import SwiftSyntax

// Functions and properties of other files.
extension Evaluator {
    /// Returns the value of a function in another file, as a dictionary that begins at the call.
    func elsewhere(_ call: CallInfo, _ frame: Frame) -> Value? {
        guard frame.depth < 3, let found = index.function(for: call, in: frame.typeName),
            found.file.source.path != file.source.path, spend()
        else { return nil }
        let arguments = bind(call, to: found.function, frame)
        let value = value(of: found, arguments, frame)
        guard case .dictionary(let dictionary) = value else { return nil }
        return .dictionary(dictionary.moved(to: Syntax(call.node), revision: nextRevision()))
    }

    /// Returns the dictionary of a computed property of the type that another file declares.
    func elsewhere(property name: String, of type: String, at node: Syntax, _ frame: Frame) -> Value
    {
        guard frame.depth < 3, let found = index.property(name, of: type),
            found.file.source.path != file.source.path, spend()
        else { return .unknown }
        let value = value(of: found, [:], frame)
        guard case .dictionary(let dictionary) = value else { return .unknown }
        return .dictionary(dictionary.moved(to: node, revision: nextRevision()))
    }

    /// Returns the value of a function in another file; its steps count for the function here.
    private func value(
        of found: ConstantIndex.Maker,
        _ arguments: [String: Value],
        _ frame: Frame
    ) -> Value {
        let other = Evaluator(found.file, index)
        other.steps = steps
        defer { steps = other.steps }
        return other.value(returnedBy: found.function, arguments: arguments, frame)
    }

    /// `KeychainDictionary([…])`, a conversion that another file declares: the entries are in the
    /// result, and perhaps others.
    func wrapper(_ call: CallInfo, _ frame: Frame) -> Value? {
        guard call.base.isEmpty, call.name.first?.isUppercase == true,
            call.name.hasSuffix("Dictionary") || call.name.hasSuffix("Query"),
            call.node.arguments.count == 1, let argument = call.node.arguments.first,
            argument.label == nil,
            case .dictionary(var dictionary) = evaluate(argument.expression, frame)
        else { return nil }
        dictionary.open(revision: nextRevision())
        return .dictionary(dictionary)
    }
}
