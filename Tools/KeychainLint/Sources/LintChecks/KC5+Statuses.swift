import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let statuses: [Check] = [
        ignoredStatus, addWithoutDuplicatePath, deleteThenAdd, notFoundAsError,
        duplicateAsSuccess, statusWithoutContext, fatalOnStatus, discardedWrite,
        swallowedDuplicate,
    ]

    /// Returns the offset that a report about the dictionary of a call shares with it.
    private static func subjects(of call: SecurityCall, _ file: FileAnalysis) -> [Int] {
        [call.start]
    }

    private static let ignoredStatus = Check("KC501") { file, report in
        for call in file.calls where call.status.isDiscarded {
            switch call.name {
            case "SecItemAdd", "SecItemUpdate", "SecItemCopyMatching":
                report.report(
                    call.node,
                    "Nobody reads the status of \(call.name): a failure goes unnoticed.",
                    severity: file.file.isTest ? .note : .error
                )
            case "SecItemDelete":
                report.report(
                    call.node,
                    "Nobody reads the status of SecItemDelete.",
                    severity: .note
                )
            default: continue
            }
        }
    }

    private static let deleteThenAdd = Check("KC504") { file, report in
        guard !file.file.isTest else { return }
        for add in file.calls where add.name == "SecItemAdd" {
            let blocks = Set(sequence(first: Syntax(add.node), next: \.parent).map(\.id))
            guard let deletion = deletion(before: add, in: blocks, file),
                !file.calls.contains(where: {
                    // An update after the add comes too late, because the value is gone.
                    $0.name == "SecItemUpdate" && $0.function.id == add.function.id
                        && $0.start < add.start
                })
            else { continue }
            let transactions = report.configuration.transactions ?? []
            let isTransaction = transactions.contains { add.function.text.contains($0) }
            let use = file.uses.first { $0.call?.start == add.start }
            let isGated = use?.dictionary["kSecAttrAccessControl"] != nil
            report.report(
                add.node,
                "The item is deleted before this add: if the add fails, the secret is lost.",
                severity: isGated || isTransaction ? .note : .warning,
                related: [(deletion, "The item is deleted here.")]
            )
        }
    }

    /// Returns the call that deletes the item in a block that also leads to an add.
    private static func deletion(
        before add: SecurityCall,
        in blocks: Set<SyntaxIdentifier>,
        _ file: FileAnalysis
    ) -> Syntax? {
        let direct = file.file.functions.filter { function in
            !function.isTopLevel && function.text.contains("SecItemDelete")
                && !function.text.contains("SecItemAdd")
        }
        let helpers =
            direct
            + file.file.functions.filter { function in
                function.isNamed(["delete", "remove"])
                    && direct.contains { function.text.contains($0.name + " (") }
            }
        let addUse = file.uses.first { $0.call?.start == add.start }
        for call in file.file.calls where add.function.contains(call.node) {
            guard call.node.end < add.start,
                let block = call.node.firstAncestor(CodeBlockItemListSyntax.self),
                blocks.contains(block.id),
                file.file.function(around: call.node)?.id == add.function.id
            else { continue }
            if call.name == "SecItemDelete" {
                let use = file.uses.first { $0.call?.start == call.node.start }
                if let use, let addUse, !isSameItem(use, addUse) { continue }
                return Syntax(call.node)
            }
            let isOwn = ["", "self", "Self", add.function.typeName].contains(call.base)
            guard isOwn, helpers.contains(where: { $0.name == call.name }),
                !(addUse.map { Self.isUnrelated($0) } ?? false)
            else { continue }
            return Syntax(call.node)
        }
        return nil
    }

    private static func isUnrelated(_ use: QueryUse) -> Bool { use.hasReference }

    static func isSameItem(_ deletion: QueryUse, _ add: QueryUse) -> Bool {
        guard deletion.itemClass == add.itemClass else {
            return deletion.itemClass == nil || add.itemClass == nil
        }
        return ["kSecAttrService", "kSecAttrAccount", "kSecAttrServer", "kSecAttrApplicationTag"]
            .allSatisfy {
                deletion.dictionary[$0] == nil || add.dictionary[$0] == nil
                    || deletion.agrees(with: add, on: $0)
            }
    }

    private static let notFoundAsError = Check("KC506") { file, report in
        guard !file.file.isTest else { return }
        for call in file.calls {
            switch call.name {
            case "SecItemCopyMatching":
                for test in call.status.tests where test.names == ["errSecItemNotFound"] {
                    guard let body = test.matching, Accidents.isOne(body) else { continue }
                    report.report(test.node, "A missing item is a normal answer, not an error.")
                }
            case "SecItemDelete":
                guard call.status.knowsSuccessAlone, !call.status.isReturned,
                    !isInWipe(call, file), !isKnownToExist(call, file),
                    let test = call.status.tests.first(where: { failsLoudly($0) }),
                    !isConverted(call, in: test)
                else { continue }
                report.report(
                    call.node,
                    "A delete of a missing item (-25300) counts as a failure here.",
                    related: [(test.node, "The comparison.")]
                )
            default: continue
            }
        }
    }

    private static func isInWipe(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        call.function.isNamed(["deleteall", "removeall", "wipe", "reset", "cleanup"])
            || call.node.firstAncestor(ForStmtSyntax.self) != nil
    }

    /// Whether an earlier add or read showed that the item exists.
    private static func isKnownToExist(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        let inCase = sequence(first: Syntax(call.node), next: \.parent).contains { node in
            let label = node.as(SwitchCaseSyntax.self)?.label.trimmedDescription
            return label?.contains("errSecDuplicateItem") == true
        }
        return inCase
            || file.calls.contains {
                ["SecItemCopyMatching", "SecItemAdd"].contains($0.name) && $0.start < call.start
                    && $0.function.id == call.function.id && !$0.status.isDiscarded
            }
    }

    /// Whether the failure is distinguished after the status became an error of the program.
    private static func isConverted(_ call: SecurityCall, in test: StatusTest) -> Bool {
        guard case .variable(let name) = call.status.fate, let body = test.failure else {
            return false
        }
        return SwitchFinder.subjects(in: body).contains { subject in
            subject.is(FunctionCallExprSyntax.self)
                && subject.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
        }
    }

    private static func failsLoudly(_ test: StatusTest) -> Bool {
        guard let body = test.failure else { return false }
        let text = body.trimmedDescription
        return text.hasPrefix("throw ") || text.contains("\nthrow ") || text.contains(" throw ")
            || text.contains("return false") || Traps.firstTrap(in: body) != nil
    }

    private static let statusWithoutContext = Check("KC509") { file, report in
        for call in file.calls {
            guard case .variable(let name) = call.status.fate else { continue }
            let names = call.function.parameters.map(\.name)
            guard names.contains(where: ["service", "account", "key"].contains) else { continue }
            for test in call.status.tests {
                guard let body = test.failure, body.trimmedDescription.hasPrefix("throw "),
                    body.trimmedDescription.contains("(\(name))"),
                    !names.contains(where: { body.trimmedDescription.contains($0) })
                else { continue }
                report.report(body)
            }
        }
    }

    private static let fatalOnStatus = Check("KC510") { file, report in
        guard !file.file.isTest else { return }
        for call in file.calls where call.name.hasPrefix("SecItem") {
            for test in call.status.tests {
                let body = test.form == .assertion ? test.others : test.failure
                guard let body else { continue }
                if test.form == .assertion {
                    guard body.trimmedDescription.hasPrefix("precondition") else { continue }
                    report.report(body)
                } else if let trap = Traps.firstTrap(in: body) {
                    report.report(trap)
                }
            }
        }
        for node in TryFinder.forced(in: file.file.tree) {
            guard let inner = CallInfo.first(in: node.expression),
                Wrappers.isRead(inner, report.configuration)
                    || Wrappers.isWrite(inner, report.configuration)
                    || Wrappers.isDelete(inner, report.configuration)
            else { continue }
            report.report(node)
        }
    }
}

/// Calls that end the process.
enum Traps {
    static func firstTrap(in body: Syntax) -> Syntax? {
        let finder = TrapFinder(viewMode: .sourceAccurate)
        finder.walk(body)
        return finder.found
    }

    private final class TrapFinder: SyntaxVisitor {
        var found: Syntax?

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.calledExpression.trimmedDescription
            let traps = ["fatalError", "preconditionFailure", "abort"]
            if found == nil, traps.contains(name) { found = Syntax(node) }
            return .visitChildren
        }
    }
}

/// Finds the expressions of `switch` statements.
private final class SwitchFinder: SyntaxVisitor {
    private var found: [ExprSyntax] = []

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        found.append(node.subject)
        return .visitChildren
    }

    static func subjects(in body: Syntax) -> [ExprSyntax] {
        let finder = SwitchFinder(viewMode: .sourceAccurate)
        finder.walk(body)
        return finder.found
    }
}

/// Finds `try?` and `try!`.
final class TryFinder: SyntaxVisitor {
    private var found: [TryExprSyntax] = []

    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        if node.questionOrExclamationMark != nil { found.append(node) }
        return .visitChildren
    }

    static func forced(in tree: some SyntaxProtocol) -> [TryExprSyntax] {
        all(in: tree).filter { $0.questionOrExclamationMark?.text == "!" }
    }

    static func optional(in tree: some SyntaxProtocol) -> [TryExprSyntax] {
        all(in: tree).filter { $0.questionOrExclamationMark?.text == "?" }
    }

    private static func all(in tree: some SyntaxProtocol) -> [TryExprSyntax] {
        let finder = TryFinder(viewMode: .sourceAccurate)
        finder.walk(Syntax(tree))
        return finder.found
    }
}

extension CallInfo {
    /// Returns the outermost call of an expression.
    static func first(in expression: ExprSyntax) -> CallInfo? {
        var inner = expression
        while true {
            if let node = inner.as(AwaitExprSyntax.self) { inner = node.expression; continue }
            if let node = inner.as(TryExprSyntax.self) { inner = node.expression; continue }
            if let node = inner.as(TupleExprSyntax.self), let first = node.elements.first {
                inner = first.expression
                continue
            }
            if let node = inner.as(AsExprSyntax.self) { inner = node.expression; continue }
            if let node = inner.as(ForceUnwrapExprSyntax.self) { inner = node.expression; continue }
            return inner.as(FunctionCallExprSyntax.self).flatMap(CallInfo.init)
        }
    }
}
