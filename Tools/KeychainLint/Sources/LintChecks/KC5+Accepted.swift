import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let duplicateAsSuccess = Check("KC508") { file, report in
        guard !file.file.isTest else { return }
        for call in file.calls where call.name == "SecItemAdd" {
            // The value is constant, or the item's identity comes from the value.
            if let use = file.uses.first(where: { $0.call?.start == call.start }),
                use.text(of: "kSecValueData") != nil || use.dictionary["kSecValueRef"] != nil
            {
                continue
            }
            guard
                let node = acceptance(of: call.status, in: call.function, file)
                    ?? listWith(call.node, call.function, file)
            else { continue }
            report.report(
                node,
                "errSecDuplicateItem counts as success, but the old value stays.",
                related: [(Syntax(call.node), "The add.")]
            )
        }
    }

    /// Returns the comparison that treats success and a duplicate alike.
    private static func acceptance(
        of status: StatusFlow,
        in function: FunctionInfo,
        _ file: FileAnalysis
    ) -> Syntax? {
        for test in status.tests {
            if test.form == .switchCase, test.names.contains("errSecSuccess"),
                test.names.contains("errSecDuplicateItem")
            {
                return test.node
            }
            guard test.names == ["errSecDuplicateItem"] else { continue }
            if let infix = test.node.parent?.as(InfixOperatorExprSyntax.self) {
                let text = infix.trimmedDescription
                let sign = infix.operator.trimmedDescription
                let knowsSuccess = text.contains("errSecSuccess") || text.contains("noErr")
                if knowsSuccess, sign == "||" && test.isEqual || sign == "&&" && !test.isEqual {
                    return Syntax(infix)
                }
            }
            if let body = test.matching, isSilentSuccess(body), !repairs(function, file) {
                return test.node
            }
        }
        guard case .variable(let name) = status.fate, !repairs(function, file) else { return nil }
        return memberOfAccepted(name, in: function, file) ?? property(of: name, in: function, file)
    }

    /// Finds `status.isFine`, if the file declares such a property for both statuses.
    private static func property(
        of name: String,
        in function: FunctionInfo,
        _ file: FileAnalysis
    ) -> Syntax? {
        let accepting = file.file.functions.filter { property in
            property.isProperty && property.returnType == "Bool"
                && ["OSStatus", "Int32"].contains(property.typeName ?? "")
                && property.text.contains("errSecDuplicateItem")
                && property.text.contains("errSecSuccess") && !property.text.contains("!=")
        }.map(\.name)
        guard !accepting.isEmpty else { return nil }
        let finder = PropertyUseFinder(name, accepting)
        finder.walk(function.body)
        return finder.found
    }

    /// Whether a function handles an item that exists already.
    ///
    /// If an update found nothing, another program may have added the item meanwhile.
    private static func repairs(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        let verbs = ["SecItemUpdate", "SecItemCopyMatching", "SecItemDelete"]
        if verbs.contains(where: function.text.contains) { return true }
        let names = Set(file.file.calls.filter { function.contains($0.node) }.map(\.name))
        return file.file.functions.contains { other in
            names.contains(other.name) && other.id != function.id && !other.isTopLevel
                && verbs.contains(where: other.text.contains)
        }
    }

    /// Whether code continues as after a success, and does nothing else.
    private static func isSilentSuccess(_ body: Syntax) -> Bool {
        let items =
            body.as(CodeBlockItemListSyntax.self).map { $0.map { Syntax($0.item) } } ?? [body]
        guard items.count <= 1 else { return false }
        guard let item = items.first else { return true }
        if item.is(BreakStmtSyntax.self) { return true }
        guard let node = item.as(ReturnStmtSyntax.self) else { return false }
        let value = node.expression?.trimmedDescription ?? ""
        return ["", "true", "()", "errSecSuccess", "noErr", ".success(())", ".saved", ".stored"]
            .contains(value)
    }

    /// Finds `[errSecSuccess, errSecDuplicateItem].contains(SecItemAdd(…))`.
    private static func listWith(
        _ call: FunctionCallExprSyntax,
        _ function: FunctionInfo,
        _ file: FileAnalysis
    ) -> Syntax? {
        guard call.parent?.is(LabeledExprSyntax.self) == true, !repairs(function, file),
            let outer = call.parent?.parent?.parent?.as(FunctionCallExprSyntax.self),
            let member = outer.calledExpression.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "contains", let base = member.base
        else { return nil }
        let finder = InitialValueFinder(base.trimmedDescription, before: outer.start)
        finder.walk(function.body)
        let list = base.trimmedDescription + (finder.value?.trimmedDescription ?? "")
        let hasBoth = list.contains("errSecDuplicateItem") && list.contains("errSecSuccess")
        return hasBoth ? Syntax(outer) : nil
    }

    /// Finds `accepted.contains(status)`, if the list has both statuses.
    private static func memberOfAccepted(
        _ name: String,
        in function: FunctionInfo,
        _ file: FileAnalysis
    ) -> Syntax? {
        let finder = ContainsFinder(name)
        finder.walk(function.body)
        return finder.found.first { call in
            let list = finder.text(of: call, in: function, file.file)
            return list.contains("errSecDuplicateItem") && list.contains("errSecSuccess")
        }.map { Syntax($0) }
    }

    /// Returns the names of the errors that functions of the file make from a duplicate.
    private static func namesOfDuplicates(_ file: FileAnalysis) -> Set<String> {
        var names: Set = ["duplicate", "duplicateItem", "alreadyExists", "itemAlreadyExists"]
        for call in file.calls where call.name == "SecItemAdd" {
            for test in call.status.tests where test.names == ["errSecDuplicateItem"] {
                let thrown = test.matching?.trimmedDescription ?? ""
                guard thrown.hasPrefix("throw ") else { continue }
                let path = thrown.dropFirst(6).split(separator: "(").first ?? ""
                if let name = path.split(separator: ".").last { names.insert(String(name)) }
            }
        }
        return names
    }

    /// Whether a clause for one of these errors continues as after a success.
    private static func accepts(_ node: CatchClauseSyntax, _ names: Set<String>) -> Bool {
        func mentions(_ pattern: String) -> Bool {
            pattern.split { !$0.isLetter && !$0.isNumber }.contains { names.contains(String($0)) }
        }
        if mentions(node.catchItems.trimmedDescription) {
            return isSilentSuccess(Syntax(node.body.statements))
        }
        guard let first = node.body.statements.first?.item,
            let choice = Syntax(first).as(ExpressionStmtSyntax.self)?.expression
                .as(IfExprSyntax.self) ?? Syntax(first).as(IfExprSyntax.self)
        else { return false }
        return mentions(choice.conditions.trimmedDescription)
            && !choice.conditions.trimmedDescription.contains("!=")
            && isSilentSuccess(Syntax(choice.body.statements))
    }

    /// The check for `catch KeychainError.duplicate {}` around an add of the file that throws it.
    static let swallowedDuplicate = Check("KC508") { file, report in
        guard !file.file.isTest, file.file.source.text.contains("errSecDuplicateItem") else {
            return
        }
        let finder = CatchClauseFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found {
            guard accepts(node, namesOfDuplicates(file)),
                let attempt = node.firstAncestor(DoStmtSyntax.self),
                let call = file.file.calls.first(where: { call in
                    attempt.body.span.contains(call.node.start)
                        && file.file.functions.contains {
                            $0.name == call.name && !$0.isTopLevel && !repairs($0, file)
                                && $0.text.contains("SecItemAdd")
                        }
                }), let function = file.file.function(around: node), !repairs(function, file)
            else { continue }
            report.report(
                node,
                "errSecDuplicateItem counts as success, but the old value stays.",
                related: [(Syntax(call.node), "The add.")]
            )
        }
    }
}

/// Finds `list.contains(name)`.
private final class ContainsFinder: SyntaxVisitor {
    private let name: String
    private(set) var found: [FunctionCallExprSyntax] = []

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let call = CallInfo(node), call.name == "contains",
            call.argument(at: 0)?.trimmedDescription == name
        {
            found.append(node)
        }
        return .visitChildren
    }

    /// Returns the list, with the initial value of the variable that it names.
    func text(
        of call: FunctionCallExprSyntax,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> String {
        guard let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base else {
            return ""
        }
        let values = Provenance.values(of: base, in: function, file).map(\.trimmedDescription)
        return ([base.trimmedDescription] + values).joined(separator: "\n")
    }
}

/// Finds the first use of certain properties of a variable.
private final class PropertyUseFinder: SyntaxVisitor {
    private let name: String
    private let properties: [String]
    private(set) var found: Syntax?

    init(_ name: String, _ properties: [String]) {
        self.name = name
        self.properties = properties
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if found == nil, node.base?.trimmedDescription == name,
            properties.contains(node.declName.baseName.text)
        {
            found = Syntax(node)
        }
        return .visitChildren
    }
}

/// Finds `catch` clauses.
private final class CatchClauseFinder: SyntaxVisitor {
    private(set) var found: [CatchClauseSyntax] = []

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
        found.append(node)
        return .visitChildren
    }
}

/// Code that treats a normal outcome as an accident.
enum Accidents {
    private static let words = [
        "corrupt", "broken", "damaged", "tampered", "compromised", "unexpected", "internal",
        "fatal", "inconsistent", "impossible",
    ]

    static func isOne(_ body: Syntax) -> Bool {
        if Traps.firstTrap(in: body) != nil { return true }
        let finder = AccidentFinder(words)
        finder.walk(body)
        return finder.isFound
    }

    private final class AccidentFinder: SyntaxVisitor {
        private let words: [String]
        private(set) var isFound = false

        init(_ words: [String]) {
            self.words = words
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let call = CallInfo(node) else { return .visitChildren }
            let base = call.base.lowercased()
            let isReport =
                ["record", "recordError", "capture", "captureException", "report", "notify"]
                .contains(call.name)
                && ["crash", "sentry", "bugsnag", "diagnostics"].contains(where: base.contains)
            let isFault =
                ["fault", "critical"].contains(call.name) && base.contains("log")
                || call.name == "assertionFailure"
            if isReport || isFault { isFound = true }
            return .visitChildren
        }

        override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind {
            // In `Failure.corrupt`, the last name is the name of the error.
            let names = node.expression.trimmedDescription.split(separator: "(").first ?? ""
            let name = names.split(separator: ".").last.map { $0.lowercased() } ?? ""
            if words.contains(where: name.contains) { isFound = true }
            return .visitChildren
        }
    }
}
