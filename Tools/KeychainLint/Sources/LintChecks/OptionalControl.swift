import LintAnalysis
import SwiftSyntax

/// A search for the places at which an access control that may be nil enters a dictionary.
enum OptionalControl {
    /// Returns the places for the result of one call; `node` is the call with its parentheses.
    static func places(
        of call: FunctionCallExprSyntax,
        _ node: Syntax,
        in function: FunctionInfo
    ) -> [Syntax] {
        if let entry = entry(around: node) { return [entry] }
        guard let binding = node.parent?.parent?.as(PatternBindingSyntax.self),
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            !isChecked(name, by: call, in: function)
        else { return [] }
        let finder = NameFinder(name)
        finder.walk(function.body)
        return finder.found.compactMap { entry(around: Syntax($0)) }
    }

    /// Returns the value of `kSecAttrAccessControl` that consists of a node; nil if there is none.
    private static func entry(around node: Syntax) -> Syntax? {
        var value = node
        if let cast = node.parent?.as(AsExprSyntax.self) {
            guard cast.questionOrExclamationMark == nil, cast.type.trimmedDescription == "Any"
            else { return nil }
            value = Syntax(cast)
        }
        let key: ExprSyntax?
        if let element = value.parent?.as(DictionaryElementSyntax.self),
            element.value.id == value.id
        {
            key = element.key
        } else if let assignment = value.parent?.as(InfixOperatorExprSyntax.self),
            assignment.operator.is(AssignmentExprSyntax.self),
            assignment.rightOperand.id == value.id
        {
            key =
                assignment.leftOperand.as(SubscriptCallExprSyntax.self)?.arguments.first?
                .expression
        } else {
            return nil
        }
        guard let key, key.trimmedDescription.contains("kSecAttrAccessControl") else { return nil }
        return value
    }

    /// Whether the function compares the result with nil, unwraps it, or reads the error.
    private static func isChecked(
        _ name: String,
        by call: FunctionCallExprSyntax,
        in function: FunctionInfo
    ) -> Bool {
        let words = function.text.split(separator: " ").map(String.init)
        let error = call.arguments.last?.expression.as(InOutExprSyntax.self)?
            .expression.trimmedDescription
        for (index, word) in words.enumerated() {
            let next = words.dropFirst(index + 1).first ?? ""
            let last = index > 0 ? words[index - 1] : ""
            if word == name, ["==", "!="].contains(next) || ["=", "if", "guard"].contains(last) {
                return true
            }
            let isUnwrapped = word == "let" && next == name && ["if", "guard", ","].contains(last)
            if isUnwrapped { return true }
            if word == error, last != "&", !["var", "let"].contains(last) { return true }
        }
        return false
    }
}
