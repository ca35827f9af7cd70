import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let accessibility: [Check] = [
        missingAccessible, deprecatedAlways, accessibleAndAccessControl, migratableClass,
    ]

    private static let missingAccessible = uses("KC201") { use, _, report in
        guard use.isAdd, let itemClass = use.itemClass, itemClass.isPassword || itemClass == .key,
            use.dictionary.lacks(all: ["kSecAttrAccessible", "kSecAttrAccessControl"])
        else { return }
        report.report(
            use.node,
            "This add names no kSecAttrAccessible: the item is readable only while unlocked.",
            related: use.literal,
            subjects: use.subjects
        )
    }

    private static let deprecatedAlways = Check("KC202") { file, report in
        guard file.file.source.text.contains("kSecAttrAccessibleAlways") else { return }
        let audits = file.uses.filter { $0.asksForAll && $0.returnsAttributesAlone }
        for name in KeychainNames.deprecatedClasses.sorted() {
            let finder = NameFinder(name)
            finder.walk(file.file.tree)
            for node in finder.found {
                let isAudit = audits.contains { $0.dictionary.literal.span.contains(node.start) }
                guard !isAudit, !isCompared(Syntax(node)) else { continue }
                report.report(node, "\(name) is deprecated: no lock state protects the item.")
            }
        }
    }

    /// Whether code compares a value with the constant, and does not store it.
    private static func isCompared(_ node: Syntax) -> Bool {
        var current = node
        while let parent = current.parent {
            if let infix = parent.as(InfixOperatorExprSyntax.self) {
                return ["==", "!=", "~="].contains(infix.operator.trimmedDescription)
            }
            if parent.is(SwitchCaseItemSyntax.self) { return true }
            if let call = parent.as(FunctionCallExprSyntax.self).flatMap(CallInfo.init),
                call.name == "contains"
            {
                return true
            }
            if parent.is(DictionaryElementSyntax.self) || parent.is(CodeBlockItemSyntax.self) {
                return false
            }
            current = parent
        }
        return false
    }

    private static let accessibleAndAccessControl = uses("KC204") { use, _, report in
        guard [.add, .addLike, .updateValues].contains(use.role),
            let accessible = use.dictionary.certain("kSecAttrAccessible"),
            let control = use.dictionary.certain("kSecAttrAccessControl")
        else { return }
        let call = control.value.accessControl?.offset
        report.report(
            accessible.node,
            related: [(control.node, "The access control is here.")],
            subjects: use.subjects + (call.map { [$0] } ?? [])
        )
    }

    private static let migratableClass = uses("KC205") { use, _, report in
        let classes = ["kSecAttrAccessibleWhenUnlocked", "kSecAttrAccessibleAfterFirstUnlock"]
        guard use.isAdd, !use.isSynchronizable,
            use.dictionary.lacks("kSecAttrSynchronizable"),
            let entry = use.dictionary.certain("kSecAttrAccessible"),
            let name = entry.value.name, classes.contains(name),
            use.itemClass == .key || SecretNames.isSecret(use.text(of: "kSecAttrAccount") ?? "")
        else { return }
        report.report(entry.node, "\(name) travels in encrypted backups to other devices.")
    }
}
