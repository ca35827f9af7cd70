import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    /// Rules about a read that fails.
    static let reading: [Check] = [deleteOnReadFailure, lockedAsMissing, silentFailure]

    private static let deleteOnReadFailure = Check("KC503") { file, report in
        for read in file.calls where read.name == "SecItemCopyMatching" {
            guard !read.status.names.contains("errSecInteractionNotAllowed") else { continue }
            for test in read.status.tests {
                let bodies = read.status.unsortedFailures(test)
                let deletions = bodies.compactMap { deletion(in: $0, file, report.configuration) }
                guard let deletion = deletions.first(where: { isOfItem(of: read, $0, file) })
                else { continue }
                report.report(
                    deletion.node,
                    "This deletes the item when the read failed, also while the device is locked.",
                    related: [(Syntax(read.node), "The read.")],
                    subjects: [read.start]
                )
            }
        }
        for clause in CatchFinder.generic(in: file.file.tree) {
            guard
                let read = clause.calls.first(where: {
                    Wrappers.isRead($0, report.configuration)
                }),
                let deletion = deletion(in: Syntax(clause.body), file, report.configuration),
                !clause.body.description.contains("nteractionNotAllowed")
            else { continue }
            report.report(
                deletion.node,
                related: [(Syntax(read.node), "The read.")],
                subjects: [read.node.start]
            )
        }
    }

    /// Returns a call in a block that deletes an item of the keychain.
    private static func deletion(
        in body: Syntax,
        _ file: FileAnalysis,
        _ configuration: Configuration
    ) -> CallInfo? {
        let helpers = Set(
            file.file.functions.filter { !$0.isTopLevel && $0.text.contains("SecItemDelete") }
                .map(\.name)
        )
        return file.file.calls.first { call in
            body.start <= call.node.start && call.node.end <= body.end
                && (Wrappers.isDelete(call, configuration)
                    || helpers.contains(call.name) && ["", "self", "Self"].contains(call.base))
        }
    }

    /// Whether a delete may concern the item of a search.
    private static func isOfItem(
        of read: SecurityCall,
        _ deletion: CallInfo,
        _ file: FileAnalysis
    ) -> Bool {
        let searched = file.uses.first { $0.call?.start == read.start }
        let deleted = file.uses.first { $0.call?.start == deletion.node.start }
        guard let searched, let deleted else { return true }
        return isSameItem(deleted, searched)
    }

    private static let lockedAsMissing = Check("KC505") { file, report in
        guard !file.file.isTest else { return }
        for read in file.calls where read.name == "SecItemCopyMatching" {
            let flow = read.status
            guard !flow.names.contains("errSecInteractionNotAllowed"), !flow.escapes else {
                continue
            }
            for test in flow.tests {
                let bodies = flow.unsortedFailures(test)
                let adds = additions(in: bodies, after: read, file)
                guard merges(test, bodies) || !adds.isEmpty,
                    flow.knowsSuccessAlone || isAnswerForMissing(test, in: flow)
                else { continue }
                let isDestructive = bodies.contains(where: Logout.isOne)
                report.report(
                    test.node,
                    "Every \(flow.knowsSuccessAlone ? "" : "other ")failure counts as a missing "
                        + "item, also a locked device (-25308).",
                    severity: isDestructive ? .error : .warning,
                    related: [(Syntax(read.node), "The read.")],
                    subjects: [read.start] + adds
                )
                break
            }
        }
        for node in TryFinder.optional(in: file.file.tree) {
            guard let call = CallInfo.first(in: node.expression),
                Wrappers.isRead(call, report.configuration)
            else { continue }
            report.report(
                node,
                "`try?` turns every failure into nil, also a locked device (-25308).",
                severity: leadsToLogout(node) ? .error : .warning,
                subjects: [call.node.start]
            )
        }
        for clause in CatchFinder.generic(in: file.file.tree) {
            guard
                let read = clause.calls.first(where: {
                    Wrappers.isRead($0, report.configuration)
                }), DeadEnd.isEmpty(clause.body) || Logout.isOne(Syntax(clause.body))
            else { continue }
            report.report(
                clause.node,
                "The catch treats every failure as a missing item.",
                severity: Logout.isOne(Syntax(clause.body)) ? .error : .warning,
                related: [(Syntax(read.node), "The read.")],
                subjects: [read.node.start]
            )
        }
    }

    /// Whether the code for every failure reports that there is no item, or signs the user out.
    private static func merges(_ test: StatusTest, _ bodies: [Syntax]) -> Bool {
        if bodies.contains(where: Logout.isOne) { return true }
        if test.form == .ternary, let value = test.failure?.as(ExprSyntax.self) {
            return DeadEnd.isNothing(value: value)
        }
        if let list = bodies.first?.as(CodeBlockItemListSyntax.self) {
            guard let last = list.last?.item else { return false }
            return list.dropLast().allSatisfy { isLog($0) } && gives(up: Syntax(last))
        }
        let items = bodies.compactMap { $0.as(CodeBlockItemSyntax.self) }
        guard let next = items.first(where: { !isLog($0) }) else { return false }
        return gives(up: Syntax(next.item))
    }

    /// Returns the adds, after any failure of a read, of an item that may only be locked.
    ///
    /// A search without a result only checks whether there is an item.
    private static func additions(
        in bodies: [Syntax],
        after read: SecurityCall,
        _ file: FileAnalysis
    ) -> [Int] {
        let search = file.uses.first { $0.call?.start == read.start }
        guard read.resultName != nil, search?.returnsAttributesAlone != true else { return [] }
        let isInside = { (node: FunctionCallExprSyntax) in
            bodies.contains { $0.start <= node.start && node.end <= $0.end }
        }
        let adds = file.calls.filter { $0.name == "SecItemAdd" }
        let direct = adds.filter { add in
            let item = file.uses.first { $0.call?.start == add.start }
            guard isInside(add.node) else { return false }
            return search.map { found in item.map { isSameItem($0, found) } ?? true } ?? true
        }
        let called = file.file.calls.filter {
            ["", "self", "Self"].contains($0.base) && isInside($0.node)
        }
        let helped = adds.filter { add in
            add.function.id != read.function.id && !add.function.isTopLevel
                && called.contains { $0.name == add.function.name }
        }
        return (direct + helped).map(\.start)
    }

    /// Whether the branch for all other statuses reports the same as the one for a missing item.
    private static func isAnswerForMissing(_ test: StatusTest, in flow: StatusFlow) -> Bool {
        guard test.form == .defaultCase,
            let list = test.failure?.as(CodeBlockItemListSyntax.self), let last = list.last?.item
        else { return false }
        if last.is(ThrowStmtSyntax.self) { return gives(up: Syntax(last)) }
        let missing = flow.tests.first {
            $0.form == .switchCase && $0.names.contains("errSecItemNotFound")
        }
        let answer = missing?.matching?.as(CodeBlockItemListSyntax.self)?.last?.item
        return answer?.trimmedDescription == last.trimmedDescription
    }

    private static func isLog(_ item: CodeBlockItemSyntax) -> Bool {
        guard case .expr(let expression) = item.item,
            let call = expression.as(FunctionCallExprSyntax.self).flatMap(CallInfo.init)
        else { return false }
        return Logs.isLog(call)
    }

    /// Whether a statement reports nothing, or a missing item.
    private static func gives(up node: Syntax) -> Bool {
        if DeadEnd.isNothing(node) { return true }
        guard let error = node.as(ThrowStmtSyntax.self)?.expression.trimmedDescription else {
            return false
        }
        let name = error.lowercased()
        return ["notfound", "missing", "noitem", "nopassword", "notoken", "nodata"]
            .contains(where: name.contains)
    }

    private static func leadsToLogout(_ node: TryExprSyntax) -> Bool {
        var current: Syntax? = Syntax(node)
        while let next = current, !next.is(CodeBlockItemSyntax.self) {
            if let choice = next.as(GuardStmtSyntax.self) {
                return Logout.isOne(Syntax(choice.body.statements))
            }
            if let choice = next.as(IfExprSyntax.self),
                case .codeBlock(let block)? = choice.elseBody
            {
                return Logout.isOne(Syntax(block.statements))
            }
            current = next.parent
        }
        return false
    }

    private static let silentFailure = Check("KC507") { file, report in
        guard !file.file.isTest else { return }
        for call in file.calls where call.name.hasPrefix("SecItem") && !call.status.escapes {
            for test in call.status.tests {
                guard let body = test.failure, let list = body.as(CodeBlockItemListSyntax.self),
                    DeadEnd.isEmpty(list), list.count == 1
                else { continue }
                report.report(test.node, subjects: [call.start])
                break
            }
        }
    }
}

/// Code that ends the session of the user.
enum Logout {
    private static let words = ["logout", "signout", "logoff", "forcelogin", "showlogin"]

    static func isOne(_ body: Syntax) -> Bool {
        let finder = Finder(viewMode: .sourceAccurate)
        finder.walk(body)
        return finder.isFound
    }

    private final class Finder: SyntaxVisitor {
        var isFound = false

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let name = CallInfo(node)?.name.lowercased() ?? ""
            isFound = isFound || words.contains(where: name.contains)
            return .visitChildren
        }

        override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
            let left = node.leftOperand.trimmedDescription.lowercased()
            let states = ["isloggedin", "isauthenticated", "issignedin"]
            if node.operator.is(AssignmentExprSyntax.self), states.contains(where: left.hasSuffix),
                node.rightOperand.trimmedDescription == "false"
            {
                isFound = true
            }
            return .visitChildren
        }
    }
}

/// Finds `catch` clauses for every error, with the calls of their `do`.
final class CatchFinder: SyntaxVisitor {
    struct Clause {
        let node: CatchClauseSyntax
        let body: CodeBlockItemListSyntax
        let calls: [CallInfo]
    }

    private var found: [Clause] = []

    override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
        guard let clause = node.catchClauses.last, clause.catchItems.isEmpty,
            node.catchClauses.count == 1,
            !clause.body.statements.description.contains("as?"),
            !clause.body.statements.description.contains("switch")
        else { return .visitChildren }
        let finder = CallLister(viewMode: .sourceAccurate)
        finder.walk(node.body)
        found.append(Clause(node: clause, body: clause.body.statements, calls: finder.found))
        return .visitChildren
    }

    static func generic(in tree: some SyntaxProtocol) -> [Clause] {
        let finder = CatchFinder(viewMode: .sourceAccurate)
        finder.walk(Syntax(tree))
        return finder.found
    }
}

/// Collects calls by name.
final class CallLister: SyntaxVisitor {
    private(set) var found: [CallInfo] = []

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let call = CallInfo(node) { found.append(call) }
        return .visitChildren
    }
}
