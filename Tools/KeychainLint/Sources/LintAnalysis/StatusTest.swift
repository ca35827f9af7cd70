import SwiftSyntax

/// A comparison of a status, and the code that runs after it.
package struct StatusTest: Sendable {
    /// The statuses in the comparison, such as `errSecSuccess`; empty for `default`.
    package let names: [String]
    /// Whether the comparison is `==`, or a case of a `switch`.
    package let isEqual: Bool
    /// The comparison or the case.
    package let node: Syntax
    /// The code for these statuses.
    package let matching: Syntax?
    /// The code for all others.
    package let others: Syntax?
    /// The statements after a branch for the named statuses that leaves, so that only others get
    /// there.
    ///
    /// The first of them is `others`.
    package let rest: [CodeBlockItemSyntax]
    /// The form of the statement or expression.
    package let form: Form

    package enum Form: Sendable {
        case ifStatement, guardStatement, switchCase, defaultCase, ternary, loop
        /// The outcome itself is returned or stored.
        case value
        /// `precondition(status == errSecSuccess)`
        case assertion
    }

    /// The code that runs after a failure that no code distinguishes from others.
    package var failure: Syntax? {
        switch form {
        case .defaultCase: matching
        default: names == ["errSecSuccess"] || names.contains("errSecSuccess") ? others : nil
        }
    }

    /// The statements that run after such a failure, because success leaves before them.
    package var restAfterFailure: [CodeBlockItemSyntax] {
        names.contains("errSecSuccess") ? rest : []
    }

    /// Reads a comparison of a status with `==` or `!=`.
    init?(_ infix: InfixOperatorExprSyntax, status: Syntax) {
        let sign = infix.operator.trimmedDescription
        guard ["==", "!=", "~="].contains(sign) else { return nil }
        let other = infix.leftOperand.id == status.id ? infix.rightOperand : infix.leftOperand
        guard let name = KeychainNames.status(other.trimmedDescription) else { return nil }
        let outcome = Outcome(of: infix, isEqual: sign != "!=")
        names = [name]
        isEqual = sign != "!="
        node = Syntax(infix)
        matching = sign != "!=" ? outcome.whenTrue : outcome.whenFalse
        others = sign != "!=" ? outcome.whenFalse : outcome.whenTrue
        rest = (sign != "!=") == outcome.isRestForFalse ? outcome.rest : []
        form = outcome.form
    }

    private init(names: [String], node: Syntax, matching: Syntax?, form: Form) {
        self.names = names
        isEqual = true
        self.node = node
        self.matching = matching
        others = nil
        rest = []
        self.form = form
    }

    /// Returns the cases of a `switch` over a status.
    static func cases(of choice: SwitchExprSyntax) -> [StatusTest] {
        choice.cases.compactMap { item in
            guard case .switchCase(let block) = item else { return nil }
            let body = Syntax(block.statements)
            switch block.label {
            case .default:
                return StatusTest(
                    names: [],
                    node: Syntax(block),
                    matching: body,
                    form: .defaultCase
                )
            case .case(let label):
                let patterns = label.caseItems.map(\.pattern)
                let names = patterns.compactMap { KeychainNames.status($0.trimmedDescription) }
                let isCatchAll =
                    names.isEmpty
                    && label.caseItems.allSatisfy { item in
                        item.whereClause == nil && item.pattern.is(ValueBindingPatternSyntax.self)
                    }
                return StatusTest(
                    names: names,
                    node: Syntax(block),
                    matching: body,
                    form: isCatchAll ? .defaultCase : .switchCase
                )
            @unknown default: return nil
            }
        }
    }
}

extension StatusFlow {
    /// Returns the code for failures that no test distinguishes, such as that of a locked device.
    package func unsortedFailures(_ test: StatusTest) -> [Syntax] {
        guard !test.restAfterFailure.isEmpty else { return test.failure.map { [$0] } ?? [] }
        var found: [Syntax] = []
        for item in test.restAfterFailure {
            let inner = tests.filter { item.span.contains($0.node.start) }
            if inner.isEmpty {
                found.append(Syntax(item))
            } else if !inner.allSatisfy(\.passesOthers) {
                break
            }
        }
        return found
    }
}

extension StatusTest {
    /// Whether other statuses continue after it: `if status == errSecItemNotFound { … }`.
    fileprivate var passesOthers: Bool {
        form == .ifStatement && isEqual && !names.contains("errSecSuccess")
            && (others == nil || !rest.isEmpty)
    }
}

/// The code that runs if a condition is true, and if it is false.
private struct Outcome {
    var whenTrue: Syntax?
    var whenFalse: Syntax?
    var form = StatusTest.Form.value
    /// The statements after an `if` or `guard` that leaves for one outcome.
    var rest: [CodeBlockItemSyntax] = []
    /// Whether the condition is false in the rest, as after an `if` but not a `guard`.
    var isRestForFalse = true

    init(of condition: InfixOperatorExprSyntax, isEqual: Bool) {
        var node = Syntax(condition)
        var isNegated = false
        while let parent = node.parent {
            if let prefix = parent.as(PrefixOperatorExprSyntax.self),
                prefix.operator.text == "!"
            {
                isNegated.toggle()
            } else if !parent.is(InfixOperatorExprSyntax.self), !parent.is(TupleExprSyntax.self),
                !parent.is(LabeledExprSyntax.self) || !Self.isTuple(parent),
                !parent.is(LabeledExprListSyntax.self) || !Self.isTuple(parent)
            {
                break
            }
            node = parent
        }
        read(node)
        guard isNegated else { return }
        swap(&whenTrue, &whenFalse)
        isRestForFalse.toggle()
    }

    private static func isTuple(_ node: Syntax) -> Bool {
        let parent = node.is(LabeledExprSyntax.self) ? node.parent?.parent : node.parent
        return parent?.is(TupleExprSyntax.self) ?? false
    }

    private mutating func read(_ node: Syntax) {
        guard let parent = node.parent else { return }
        if let element = parent.as(ConditionElementSyntax.self) {
            conditions(element)
        } else if let ternary = parent.as(TernaryExprSyntax.self) {
            form = .ternary
            whenTrue = Syntax(ternary.thenExpression)
            whenFalse = Syntax(ternary.elseExpression)
        } else if let argument = parent.as(LabeledExprSyntax.self),
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
                .flatMap(CallInfo.init),
            ["precondition", "assert"].contains(call.name)
        {
            form = .assertion
            whenFalse = Syntax(call.node)
        }
    }

    private mutating func conditions(_ element: ConditionElementSyntax) {
        guard let owner = element.parent?.parent else { return }
        if let node = owner.as(GuardStmtSyntax.self) {
            form = .guardStatement
            whenFalse = Syntax(node.body.statements)
            rest = Self.items(after: Syntax(node))
            isRestForFalse = false
            whenTrue = rest.first.map { Syntax($0) }
        } else if let node = owner.as(IfExprSyntax.self) {
            form = .ifStatement
            whenTrue = Syntax(node.body.statements)
            switch node.elseBody {
            case .codeBlock(let block)?: whenFalse = Syntax(block.statements)
            case .ifExpr(let next)?: whenFalse = Syntax(next)
            default:
                guard let last = node.body.statements.last?.item, Self.leaves(last) else { break }
                rest = Self.items(after: Syntax(node))
                whenFalse = rest.first.map { Syntax($0) }
            }
        } else if owner.is(WhileStmtSyntax.self) {
            form = .loop
        }
    }

    /// Returns the statements after a statement in its block.
    private static func items(after node: Syntax) -> [CodeBlockItemSyntax] {
        let path = sequence(first: node, next: \.parent)
        guard let own = path.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
            let list = own.parent?.as(CodeBlockItemListSyntax.self),
            let index = list.firstIndex(of: own)
        else { return [] }
        return Array(list[list.index(after: index)...])
    }

    private static func leaves(_ item: CodeBlockItemSyntax.Item) -> Bool {
        guard case .stmt(let statement) = item else { return false }
        return statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
            || statement.is(ContinueStmtSyntax.self) || statement.is(BreakStmtSyntax.self)
    }
}
