import LintAnalysis
import SwiftSyntax

/// A check of the code after a successful prompt that only calls a callback, without any state.
enum PromptGate {
    private static let purposes = [
        "auth", "unlock", "verif", "login", "signin", "logon", "identi",
    ]
    /// Names of callbacks that only change the display.
    private static let appearances = [
        "show", "hide", "present", "dismiss", "reload", "refresh", "toggle", "animate", "confirm",
        "fail", "error", "cancel",
    ]

    /// Whether the context is passed on, so that the keychain can prompt with it.
    static func passesOn(_ context: String, in tree: SourceFileSyntax) -> Bool {
        guard !context.isEmpty else { return false }
        let finder = PassFinder(context)
        finder.walk(tree)
        return finder.isFound
    }

    /// Returns the first call or state by which the success branch admits the user.
    static func effect(
        of call: CallInfo,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> Syntax? {
        guard let closure = call.node.trailingClosure ?? closure(in: call),
            let name = success(of: closure)
        else { return nil }
        let finder = BranchFinder(name)
        finder.walk(closure.statements)
        for branch in finder.found {
            let states = GateFinder(viewMode: .sourceAccurate)
            states.walk(branch)
            if let state = states.effects.first { return state }
            guard function.isNamed(purposes) else { continue }
            let calls = CallLister(viewMode: .sourceAccurate)
            calls.walk(branch)
            let callback = calls.found.first { isCallback($0, function, file) }
            if let callback { return Syntax(callback.node) }
        }
        return nil
    }

    private static func closure(in call: CallInfo) -> ClosureExprSyntax? {
        call.node.arguments.last?.expression.as(ClosureExprSyntax.self)
    }

    /// Returns the name of the first parameter.
    private static func success(of closure: ClosureExprSyntax) -> String? {
        switch closure.signature?.parameterClause {
        case .simpleInput(let list)?: list.first?.name.text
        case .parameterClause(let clause)?:
            (clause.parameters.first?.secondName ?? clause.parameters.first?.firstName)?.text
        case nil: "$0"
        @unknown default: nil
        }
    }

    /// Whether a call runs a closure of the caller, or informs a caller in another language.
    private static func isCallback(
        _ call: CallInfo,
        _ function: FunctionInfo,
        _ file: ParsedFile
    ) -> Bool {
        let name = call.name.lowercased()
        guard !appearances.contains(where: name.contains) else { return false }
        if call.name == "resolve" {
            return function.parameters.contains { $0.name == call.base }
        }
        guard ["", "self"].contains(call.base) else { return false }
        if let own = function.parameters.first(where: { $0.name == call.name }) {
            return call.base.isEmpty && own.type.contains("->")
        }
        let finder = ClosureProperty(call.name)
        finder.walk(file.tree)
        return finder.isFound
    }
}

/// Finds a context that is an argument, a result, or another value.
private final class PassFinder: SyntaxVisitor {
    private let context: String
    private(set) var isFound = false

    init(_ context: String) {
        self.context = context
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.baseName.text == context else { return .visitChildren }
        let parent = node.parent
        let isArgument = parent?.is(LabeledExprSyntax.self) ?? false
        let isResult = parent?.is(ReturnStmtSyntax.self) ?? false
        let isEntry = parent?.is(DictionaryElementSyntax.self) ?? false
        let isRight =
            parent?.as(InfixOperatorExprSyntax.self).map {
                $0.operator.is(AssignmentExprSyntax.self) && $0.rightOperand.id == node.id
            } ?? false
        isFound = isFound || isArgument || isResult || isEntry || isRight
        return .visitChildren
    }
}

/// Finds the code that runs if a name is true.
private final class BranchFinder: SyntaxVisitor {
    private let name: String
    private(set) var found: [Syntax] = []

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    private func isMeant(_ conditions: ConditionElementListSyntax) -> Bool {
        conditions.contains { $0.condition.trimmedDescription == name }
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        if isMeant(node.conditions) { found.append(Syntax(node.body.statements)) }
        return .visitChildren
    }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        guard isMeant(node.conditions),
            let item = node.parent?.as(CodeBlockItemSyntax.self),
            let list = item.parent?.as(CodeBlockItemListSyntax.self),
            let index = list.firstIndex(of: item)
        else { return .visitChildren }
        found += list[list.index(after: index)...].map { Syntax($0) }
        return .visitChildren
    }
}

/// Finds a property whose type is a function.
private final class ClosureProperty: SyntaxVisitor {
    private let name: String
    private(set) var isFound = false

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let type = node.typeAnnotation?.type.trimmedDescription ?? ""
        let isMeant = node.pattern.trimmedDescription == name && type.contains("->")
        isFound = isFound || isMeant
        return .visitChildren
    }
}
