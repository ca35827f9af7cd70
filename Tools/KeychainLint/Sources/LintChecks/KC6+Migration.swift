import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let migration: [Check] = [
        deleteBeforeVerify, incompleteCleanup, sdkBeforeCleanup, migrationEveryLaunch,
        schemaVersionInDefaults, multiResumeObserver, domainWipe, legacyLeftBehind, noReadBack,
        manualOverwrite, insecureUnarchive, insecureUnarchiver, testsWithoutCleanup,
    ]

    /// Returns the functions of a file that write to the keychain, with their steps.
    private static func steps(_ file: FileAnalysis, _ report: Reporter) -> [Migrations] {
        guard file.usesKeychain, !file.file.isTest else { return [] }
        return file.file.functions.map { Migrations($0, file, report.configuration) }
            .filter { !$0.writes.isEmpty }
    }

    private static let deleteBeforeVerify = Check("KC601") { file, report in
        for step in steps(file, report) {
            for write in step.writes {
                guard let source = step.source(of: write, file) else { continue }
                for removal in step.removals where removal.key == source.key {
                    let isEarly = removal.call.node.start < write.node.start
                    let isVerified = step.isReadBack(
                        after: write.node.end,
                        before: removal.call.node.start
                    )
                    guard removal.call.node.start > source.call.node.start, isEarly || !isVerified
                    else { continue }
                    let what = isEarly ? "before the keychain has it" : "without a read-back"
                    report.report(
                        removal.call.node,
                        "The old copy is deleted \(what).",
                        related: [(Syntax(write.node), "The write to the keychain.")],
                        subjects: [write.node.start]
                    )
                }
            }
        }
    }

    private static let noReadBack = Check("KC613") { file, report in
        for step in steps(file, report) {
            let severity: Severity = step.function.isMigration ? .warning : .note
            for write in step.writes {
                let removals = step.removals.map(\.call).filter { _ in
                    step.source(of: write, file) == nil && step.function.isMigration
                }
                let deletions = step.deletions.filter { isOther($0, than: write, file) }
                guard
                    let first = (removals + deletions).first(where: {
                        $0.node.start > write.node.end
                            && !step.isReadBack(after: write.node.end, before: $0.node.start)
                    })
                else { continue }
                report.report(
                    first.node,
                    severity: severity,
                    related: [(Syntax(write.node), "The write to the keychain.")],
                    subjects: [write.node.start]
                )
            }
        }
    }

    /// Whether a delete concerns another item than an earlier write.
    private static func isOther(_ deletion: CallInfo, than write: CallInfo, _ file: FileAnalysis)
        -> Bool
    {
        let old = file.uses.first { $0.call?.start == deletion.node.start }
        let new = file.uses.first { $0.call?.start == write.node.start }
        if let old, let new {
            guard let oldClass = old.itemClass, let newClass = new.itemClass else { return false }
            return oldClass != newClass
                || !old.agrees(with: new, on: "kSecAttrService")
                    && new.dictionary["kSecAttrService"] != nil
        }
        guard old == nil, new == nil, deletion.name != "SecItemDelete", write.name != "SecItemAdd",
            write.name != "SecItemUpdate",
            let oldService = deletion.argument("service"),
            let newService = write.argument("service")
        else { return false }
        return oldService.trimmedDescription != newService.trimmedDescription
    }

    private static let incompleteCleanup = Check("KC604") { file, report in
        for function in file.file.functions where !file.file.isTest {
            let isNamed = function.isNamed(cleanupNames)
            guard isNamed || isCleanup(function, file) else { continue }
            let uses = file.uses.filter { $0.role == .delete && $0.function.id == function.id }
            guard let first = uses.first, uses.allSatisfy({ !$0.dictionary.isOpen }) else {
                continue
            }
            let named = uses.map { $0.dictionary["kSecClass"]?.value.names }
            let classes = Set(named.compactMap { $0 }.joined())
            // A delete that is deliberately limited to this device states that.
            let choosesItems = uses.allSatisfy {
                let entry = $0.dictionary["kSecAttrSynchronizable"]?.value
                return entry?.name == "kSecAttrSynchronizableAny" || entry?.bool == false
            }
            guard !named.contains(nil), classes.count < 5 || !choosesItems else { continue }
            let isScoped = uses.contains {
                $0.dictionary["kSecAttrService"] != nil
                    || $0.dictionary["kSecAttrAccessGroup"] != nil
            }
            guard isNamed || !isScoped else { continue }
            report.report(first.node, severity: isScoped ? .note : .warning)
        }
    }

    private static let cleanupNames = [
        "cleanup", "firstlaunch", "reinstall", "wipekeychain", "deleteallkeychain",
        "resetkeychain", "clearkeychain", "wipeall",
    ]

    /// Whether the type of a function, or a caller in its file, has the name of a cleanup.
    private static func isCleanup(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        guard !function.isTopLevel else { return false }
        let type = function.typeName?.lowercased() ?? ""
        if cleanupNames.contains(where: type.contains) { return true }
        return file.file.calls.contains { call in
            call.name == function.name && ["", "self", "Self"].contains(call.base)
                && file.file.function(around: call.node)?.isNamed(cleanupNames) == true
        }
    }

    private static let migrationEveryLaunch = Check("KC607") { file, report in
        for function in file.file.functions where Migrations.runsEveryLaunch(function, file) {
            report.report(function.nameNode)
        }
    }

    private static let schemaVersionInDefaults = calls("KC608") { call, file, report in
        guard ["set", "setValue"].contains(call.name), Migrations.isDefaults(call.base),
            file.usesKeychain, !file.file.isTest, let key = call.argument("forKey")
        else { return }
        let name = key.trimmedDescription.lowercased()
        guard
            name.contains("migrat") || name.contains("schemaversion")
                || name.contains("keychainversion") || name.contains("schema.version")
        else { return }
        report.report(call.node)
    }

    private static let multiResumeObserver = calls("KC610") { call, file, report in
        let names = [
            "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
            "withUnsafeThrowingContinuation",
        ]
        guard names.contains(call.name) else { return }
        let body = call.node.trimmedDescription
        guard body.contains(".resume("), !body.contains("removeObserver"),
            let observer = file.file.calls.first(where: {
                $0.name == "addObserver" && $0.argument("forName") != nil
                    && call.node.span.contains($0.node.start)
            }), observer.node.trimmedDescription.contains(".resume(")
        else { return }
        report.report(observer.node)
    }

    private static let domainWipe = calls("KC611") { call, file, report in
        guard call.name == "removePersistentDomain", !file.file.isTest,
            let name = call.argument("forName"),
            let function = file.file.function(around: call.node)
        else { return }
        let origin = Provenance.text(of: name, in: function, file.file).lowercased()
        guard origin.contains("bundleid") else { return }
        report.report(call.node)
    }

    private static let legacyLeftBehind = Check("KC612") { file, report in
        let all = file.file.calls.filter { $0.name == "removeObject" || $0.name == "removeItem" }
        for step in steps(file, report) {
            for write in step.writes {
                // An old keychain is not plain text.
                guard let source = step.source(of: write, file), !Wrappers.isLegacy(source.call),
                    source.call.name != "Data" && source.call.name != "String"
                        || SecretNames.isSecret(source.key),
                    all.isEmpty
                        || step.function.isMigration && step.removals.isEmpty
                            && !all.contains(where: { $0.argumentText.contains(source.key) })
                else { continue }
                report.report(
                    source.call.node,
                    "\(source.key) stays in plain text.",
                    related: [(Syntax(write.node), "The write to the keychain.")]
                )
            }
        }
    }

    private static let manualOverwrite = Check("KC615") { file, report in
        let writes = ["write", "fwrite", "pwrite", "append", "copyBytes"]
        let ends = ["removeItem", "unlink", "remove", "trashItem", "unlinkat"]
        for call in file.file.calls where writes.contains(call.name) && !file.file.isTest {
            guard let function = file.file.function(around: call.node),
                isFilling(call, in: function, file),
                file.file.calls.contains(where: {
                    ends.contains($0.name) && function.contains($0.node)
                        && $0.node.start > call.node.start
                        && ($0.name != "remove" || $0.base.isEmpty)
                })
            else { continue }
            report.report(call.node)
        }
    }

    /// Whether a call writes zeros or random bytes to a file.
    private static func isFilling(
        _ call: CallInfo,
        in function: FunctionInfo,
        _ file: FileAnalysis
    ) -> Bool {
        let base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base
        let isMethodOfData = call.argument("to") != nil || call.argument("toFile") != nil
        let source =
            isMethodOfData
            ? base : call.argument("contentsOf") ?? call.node.arguments.first?.expression
        guard let source,
            isMethodOfData || call.argument("contentsOf") != nil || call.base.isEmpty
                || base.map({ Provenance.text(of: $0, in: function, file.file) })?
                    .contains("FileHandle") == true
        else { return false }
        let origin = Provenance.text(of: source, in: function, file.file)
        let fillings = [
            "Data(count:", "Data(repeating:", "Data(randomBytes", "Data(zeros", "](repeating:",
            "Array(repeating:", ".random(", "repeatElement(", "SecRandomCopyBytes", "mutableCount",
        ]
        return fillings.contains(where: origin.contains)
    }

    private static let insecureUnarchive = calls("KC616") { call, file, report in
        let names = ["unarchiveObject", "unarchiveTopLevelObjectWithData"]
        guard names.contains(call.name), call.base.hasSuffix("NSKeyedUnarchiver") else { return }
        report.report(call.node)
    }

    private static let insecureUnarchiver = Check("KC616") { file, report in
        guard file.file.source.text.contains("requiresSecureCoding") else { return }
        let finder = AssignmentFinder("requiresSecureCoding")
        finder.walk(file.file.tree)
        for node in finder.found where node.rightOperand.trimmedDescription == "false" {
            report.report(node)
        }
    }

    private static let testsWithoutCleanup = Check("KC617") { file, report in
        let text = file.file.source.text
        guard file.file.isTest, !text.contains("SecItemDelete"), !text.contains("UUID("),
            let add = file.calls.first(where: { $0.name == "SecItemAdd" })
        else { return }
        report.report(add.node)
    }
}

extension FunctionInfo {
    /// The node for a report about a function, which is its name.
    var nameNode: Syntax {
        if let declaration = node.as(FunctionDeclSyntax.self) { return Syntax(declaration.name) }
        if let declaration = node.as(InitializerDeclSyntax.self) {
            return Syntax(declaration.initKeyword)
        }
        return node
    }
}
