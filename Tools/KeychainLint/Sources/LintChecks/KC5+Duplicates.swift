import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let addWithoutDuplicatePath = Check("KC502") { file, report in
        guard !file.file.isTest else { return }
        for call in file.calls where call.name == "SecItemAdd" {
            let status = call.status
            if status.isDiscarded {
                // The second launch repeats the add in any case.
                guard Migrations.runsEveryLaunch(call.function, file) else { continue }
                report.report(call.node, subjects: [])
                continue
            }
            guard status.knowsSuccessAlone, !status.isReturned,
                !mentionsDuplicate(call.function, file), !changesFirst(call, file),
                !isUnique(call, file), !isForwarded(call, file)
            else { continue }
            if followsSearch(call, file) {
                report.report(
                    call.node,
                    "The search before this add also fails for an item that it cannot read. "
                        + "The add then fails with -25299, which nothing tells apart.",
                    advice: "Add only after errSecItemNotFound. After errSecDuplicateItem search "
                        + "again: an update would overwrite a value that nobody has read.",
                    severity: .warning
                )
                continue
            }
            let isHandled = status.escapes
            report.report(
                call.node,
                "The second add of the same item fails with -25299, which nothing tells apart.",
                severity: isHandled ? .warning : .error
            )
        }
    }

    /// Whether the add follows a failed search, here or in a caller of the function.
    private static func followsSearch(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        let additions = file.file.calls.filter {
            $0.node.start == call.start
                || $0.name == call.function.name && ["", "self", "Self"].contains($0.base)
        }
        return file.calls.contains { search in
            search.name == "SecItemCopyMatching"
                && search.status.tests.flatMap(search.status.unsortedFailures).contains { body in
                    additions.contains {
                        body.start <= $0.node.start && $0.node.end <= body.end
                    }
                }
        }
    }

    private static func mentionsDuplicate(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        let text = function.isTopLevel ? file.file.source.text : function.text
        return text.contains("errSecDuplicateItem") || text.contains("-25299")
            || text.lowercased().contains("duplicate")
    }

    /// Whether the function updates or deletes the item before, itself or through a helper.
    private static func changesFirst(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        let names = ["SecItemUpdate", "SecItemDelete"]
        for other in file.file.calls where call.function.contains(other.node) {
            if names.contains(other.name) { return true }
            let helpers = file.file.functions.filter {
                $0.name == other.name && !$0.isTopLevel && $0.id != call.function.id
            }
            let lowered = other.name.lowercased()
            let verbs = ["delete", "remove", "update", "clear"]
            // The method may be in another file of the type.
            let isOwn = ["", "self", "Self"].contains(other.base) && other.node.end < call.start
            if verbs.contains(where: lowered.hasPrefix), isOwn || !helpers.isEmpty { return true }
            if helpers.contains(where: { helper in names.contains(where: helper.text.contains) }) {
                return true
            }
        }
        // A caller in this file may have searched before.
        return followsFailure(call, file)
            || file.file.functions.contains { caller in
                caller.id != call.function.id && !caller.isTopLevel
                    && names.contains(where: caller.text.contains)
                    && file.file.calls.contains {
                        $0.name == call.function.name && caller.contains($0.node)
                    }
            }
            || file.calls.contains {
                // A search in the same function did not find the item.
                $0.name == "SecItemCopyMatching" && $0.function.id == call.function.id
                    && $0.status.names.contains("errSecItemNotFound") && $0.start < call.start
            }
    }

    /// Whether a caller adds only after a read or an update in another function failed.
    private static func followsFailure(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        let firsts = file.file.functions.filter { function in
            !function.isTopLevel && function.id != call.function.id
                && ["SecItemUpdate", "SecItemCopyMatching"].contains(where: function.text.contains)
        }
        return file.file.calls.contains { add in
            guard add.name == call.function.name,
                let clause = add.node.firstAncestor(CatchClauseSyntax.self),
                let attempt = clause.firstAncestor(DoStmtSyntax.self)
            else { return false }
            return file.file.calls.contains { other in
                firsts.contains { $0.name == other.name }
                    && attempt.body.start <= other.node.start
                    && other.node.end <= attempt.body.end
            }
        }
    }

    /// Whether the function's name says that it adds its caller's item, and it returns the status.
    private static func isForwarded(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        let isNamed = ["add", "insert"].contains(where: call.function.name.lowercased().hasPrefix)
        guard isNamed, call.status.escapes, var item = call.node.arguments.first?.expression
        else { return false }
        while let cast = item.as(AsExprSyntax.self) { item = cast.expression }
        guard let name = item.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
        return call.function.parameters.contains { $0.name == name }
    }

    /// Whether every call names a new item.
    private static func isUnique(_ call: SecurityCall, _ file: FileAnalysis) -> Bool {
        guard let use = file.uses.first(where: { $0.call?.start == call.start }) else {
            // If the dictionary is unknown, the new name may be its account.
            return call.function.text.contains("UUID ( )")
        }
        guard let account = use.dictionary["kSecAttrAccount"]?.expression else { return false }
        return Provenance.text(of: account, in: call.function, file.file).contains("UUID()")
    }
}
