import SwiftSyntax

/// The use of a call's status in the code.
package struct StatusFlow: Sendable {
    /// The first receiver of the status.
    package enum Fate: Sendable {
        /// No code can read it.
        case discarded
        /// A variable receives it.
        case variable(String)
        /// The call is itself the operand of a comparison or `switch`.
        case compared
        /// A caller, an error or another function receives it.
        case passedOn
    }

    package private(set) var fate: Fate
    package private(set) var tests: [StatusTest] = []
    /// Whether the status leaves the function: returned, thrown, stored or passed on.
    package private(set) var escapes = false
    /// Whether the function returns the status itself.
    package private(set) var isReturned = false
    /// Whether code reads the variable at all.
    package private(set) var isRead = false

    package var isDiscarded: Bool { if case .discarded = fate { true } else { false } }

    /// All statuses that the code distinguishes.
    package var names: Set<String> { Set(tests.flatMap(\.names)) }

    /// Whether the code distinguishes success, and nothing else.
    package var knowsSuccessAlone: Bool { names == ["errSecSuccess"] }

    package init(of call: FunctionCallExprSyntax, in function: FunctionInfo) {
        fate = .passedOn
        follow(Syntax(call), call, function)
    }

    /// Climbs from the call to the receiver of its value.
    private mutating func follow(
        _ node: Syntax,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        guard let parent = node.parent else { return }
        if parent.is(CodeBlockItemSyntax.self) {
            return statement(parent, call, function)
        }
        if let binding = parent.as(InitializerClauseSyntax.self)?.parent {
            return bound(binding, call, function)
        }
        if let infix = parent.as(InfixOperatorExprSyntax.self) {
            return operand(node, infix, call, function)
        }
        if let choice = parent.as(SwitchExprSyntax.self), choice.subject.id == node.id {
            fate = .compared
            tests.append(contentsOf: StatusTest.cases(of: choice))
            return
        }
        if parent.is(ReturnStmtSyntax.self) {
            fate = .passedOn
            escapes = true
            isReturned = true
            return
        }
        let transparent =
            parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self)
            || parent.is(AsExprSyntax.self) || parent.is(TupleExprSyntax.self)
            || parent.is(UnsafeExprSyntax.self)
            || parent.is(LabeledExprSyntax.self)
                && parent.parent?.parent?.is(TupleExprSyntax.self) == true
            || parent.is(LabeledExprListSyntax.self)
                && parent.parent?.is(TupleExprSyntax.self) == true
        if transparent { return follow(parent, call, function) }
        escapes = true
    }

    /// Follows a call that is a statement: its value is lost, unless a closure or function returns
    /// it.
    private mutating func statement(
        _ item: Syntax,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        let list = item.parent?.as(CodeBlockItemListSyntax.self)
        if list?.count == 1, let owner = list?.parent {
            if let closure = owner.as(ClosureExprSyntax.self) {
                return closureResult(closure, call, function)
            }
            if let declaration = owner.parent?.as(FunctionDeclSyntax.self) {
                let type = declaration.signature.returnClause?.type.trimmedDescription
                if let type, type != "Void", type != "()" {
                    escapes = true
                    isReturned = true
                    return
                }
            }
            if owner.is(AccessorBlockSyntax.self) {
                escapes = true
                isReturned = true
                return
            }
            if let choice = Self.choice(of: owner) { return chosen(choice, call, function) }
        }
        fate = .discarded
    }

    /// Returns the `switch` or `if` whose value a branch can be.
    private static func choice(of branch: Syntax) -> Syntax? {
        if branch.is(SwitchCaseSyntax.self) { return branch.parent?.parent }
        guard var choice = branch.parent, choice.is(IfExprSyntax.self) else { return nil }
        while let outer = choice.parent, outer.is(IfExprSyntax.self) { choice = outer }
        return choice
    }

    /// Follows a call that is a whole branch: its value is lost only if that of the whole statement
    /// is.
    private mutating func chosen(
        _ choice: Syntax,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        guard let parent = choice.parent, parent.is(ExpressionStmtSyntax.self) else {
            return follow(choice, call, function)
        }
        guard let item = parent.parent, item.is(CodeBlockItemSyntax.self) else { return }
        statement(item, call, function)
    }

    /// Follows a call that is the result of a closure, as for `withUnsafeMutablePointer`.
    private mutating func closureResult(
        _ closure: ClosureExprSyntax,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        let labelled = closure.parent?.as(LabeledExprSyntax.self)?.parent?.parent
        let owner =
            (closure.parent?.as(FunctionCallExprSyntax.self)).map { Syntax($0) }
            ?? labelled
        guard let outer = owner?.as(FunctionCallExprSyntax.self) else {
            escapes = true
            return
        }
        let name = outer.calledExpression.trimmedDescription
        let drops = ["async", "asyncAfter", "Task", "detached", "forEach", "addOperation"]
        if drops.contains(where: { name == $0 || name.hasSuffix("." + $0) }) {
            fate = .discarded
        } else {
            follow(Syntax(outer), call, function)
            if isDiscarded { fate = .passedOn; escapes = true }
        }
    }

    private mutating func bound(
        _ binding: Syntax,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        let pattern =
            binding.as(PatternBindingSyntax.self)?.pattern
            ?? binding.as(OptionalBindingConditionSyntax.self)?.pattern
        guard let pattern else {
            escapes = true
            return
        }
        if pattern.is(WildcardPatternSyntax.self) {
            fate = .discarded
        } else if let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
            variable(name, call, function)
        } else {
            escapes = true
        }
    }

    private mutating func operand(
        _ node: Syntax,
        _ infix: InfixOperatorExprSyntax,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        if infix.operator.is(AssignmentExprSyntax.self), infix.rightOperand.id == node.id {
            if infix.leftOperand.is(DiscardAssignmentExprSyntax.self) {
                fate = .discarded
            } else if let name = infix.leftOperand.as(DeclReferenceExprSyntax.self) {
                variable(name.baseName.text, call, function)
            } else {
                escapes = true
            }
        } else if let test = StatusTest(infix, status: node) {
            fate = .compared
            tests.append(test)
        } else {
            escapes = true
        }
    }

    // MARK: Variables

    /// Reads every use of the variable that can contain this call's status.
    private mutating func variable(
        _ name: String,
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo
    ) {
        fate = .variable(name)
        let finder = ReferenceFinder(name)
        finder.walk(function.body)
        let blocks = Set(sequence(first: Syntax(call), next: \.parent).map(\.id))
        let next = finder.assignments.first { assignment in
            guard assignment.start > call.end else { return false }
            let block = assignment.firstAncestor(CodeBlockItemListSyntax.self)
            return block.map { blocks.contains($0.id) } ?? false
        }
        let end = next?.start ?? Int.max
        var isDropped = false
        for reference in finder.references where reference.start > call.end && reference.start < end
        {
            if Self.isDropped(reference) {
                isDropped = true
                continue
            }
            isRead = true
            classify(Syntax(reference))
        }
        let isLocal = finder.isDeclared || function.parameters.contains { $0.name == name }
        if !isLocal, !function.isTopLevel { escapes = true }
        // Without `_ = status`, the compiler would warn that the variable is never read.
        if isDropped, isLocal, !isRead { fate = .discarded }
    }

    /// Whether the reference is the value in a `_ = status`.
    private static func isDropped(_ reference: DeclReferenceExprSyntax) -> Bool {
        guard let infix = reference.parent?.as(InfixOperatorExprSyntax.self),
            infix.parent?.is(CodeBlockItemSyntax.self) == true
        else { return false }
        return infix.operator.is(AssignmentExprSyntax.self)
            && infix.rightOperand.id == reference.id
            && infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
    }

    private mutating func classify(_ node: Syntax) {
        guard let parent = node.parent else { return }
        if let infix = parent.as(InfixOperatorExprSyntax.self) {
            if let test = StatusTest(infix, status: node) {
                tests.append(test)
            } else if !infix.operator.is(AssignmentExprSyntax.self) {
                escapes = true
            } else if infix.rightOperand.id == node.id {
                escapes = true
            }
        } else if let choice = parent.as(SwitchExprSyntax.self) {
            tests.append(contentsOf: StatusTest.cases(of: choice))
        } else if parent.is(ReturnStmtSyntax.self) {
            escapes = true
            isReturned = true
        } else if parent.is(LabeledExprSyntax.self) {
            escapes = escapes || !Self.isLog(parent)
        } else if parent.is(TupleExprSyntax.self) || parent.is(AsExprSyntax.self) {
            classify(parent)
        } else if parent.is(ExpressionSegmentSyntax.self) {
            escapes = escapes || !Self.isLog(parent)
        } else if parent.is(CodeBlockItemSyntax.self) {
            return
        } else {
            escapes = true
        }
    }

    /// Whether the value goes to a log, where no code reads it.
    private static func isLog(_ node: Syntax) -> Bool {
        var current: Syntax? = node
        while let next = current, !next.is(CodeBlockItemSyntax.self) {
            if let call = next.as(FunctionCallExprSyntax.self).flatMap(CallInfo.init),
                Logs.isLog(call)
            {
                return true
            }
            if next.is(ThrowStmtSyntax.self) { return false }
            current = next.parent
        }
        return false
    }
}

/// Calls that write for people.
package enum Logs {
    private static let functions: Set<String> = [
        "print", "debugPrint", "NSLog", "os_log", "dump", "DLog", "assertionFailure", "assert",
        "fatalError", "preconditionFailure", "CFShow",
    ]

    private static let methods: Set<String> = [
        "log", "debug", "info", "notice", "warning", "warn", "error", "critical", "fault", "trace",
        "verbose",
    ]

    package static func isLog(_ call: CallInfo) -> Bool {
        functions.contains(call.name) && call.base.isEmpty
            || methods.contains(call.name) && call.base.lowercased().contains("log")
    }
}

extension SyntaxProtocol {
    /// Returns the nearest ancestor of a kind.
    package func firstAncestor<Node: SyntaxProtocol>(_ type: Node.Type) -> Node? {
        var current = parent
        while let node = current {
            if let found = node.as(type) { return found }
            current = node.parent
        }
        return nil
    }
}

/// Finds the places at which a variable is read and written.
final class ReferenceFinder: SyntaxVisitor {
    private let name: String
    private(set) var references: [DeclReferenceExprSyntax] = []
    private(set) var assignments: [InfixOperatorExprSyntax] = []
    private(set) var isDeclared = false

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        if node.identifier.text == name { isDeclared = true }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.baseName.text == name else { return .visitChildren }
        if let member = node.parent?.as(MemberAccessExprSyntax.self),
            member.declName.id == node.id
        {
            return .visitChildren
        }
        if let infix = node.parent?.as(InfixOperatorExprSyntax.self),
            infix.operator.is(AssignmentExprSyntax.self), infix.leftOperand.id == node.id
        {
            assignments.append(infix)
        } else {
            references.append(node)
        }
        return .visitChildren
    }
}
