import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let accessControl: [Check] = [
        missingOperator, illegalFlagCombination, biometricOnBackgroundClass, booleanBiometricGate,
        secureEnclaveKeyWithoutUsage, uncheckedAccessControl, updateAccessControl,
        longReuseDuration, weakBiometricFlag, noBiometryFallback, gatedAndSynchronizable,
        authenticationSkipMisuse,
    ]

    /// Returns every list of flags with the node to report.
    private static func flagLists(
        _ file: FileAnalysis
    ) -> [(flags: [String], node: Syntax, call: Int?)] {
        let calls = file.accessControls.compactMap { use in
            use.control.flags.map { ($0, use.control.flagsNode, Int?(use.control.offset)) }
        }
        let inCalls = Set(calls.map(\.1.start))
        let sets = file.flagSets.filter { !inCalls.contains($0.node.start) }
        // A call that names a constant adds nothing to the constant's own list.
        let others = calls.filter { call in
            !call.1.is(DeclReferenceExprSyntax.self) || !sets.contains { $0.flags == call.0 }
        }
        return others + sets.map { ($0.flags, $0.node, Int?.none) } + FlagArguments.lists(in: file)
    }

    private static func conflict(in flags: [String]) -> String? {
        let constraints = Set(flags).intersection(AccessControl.constraintNames)
        if flags.contains("or"), flags.contains("and") { return ".or and .and exclude each other" }
        if constraints.isSuperset(of: ["biometryAny", "biometryCurrentSet"]) {
            return ".biometryAny and .biometryCurrentSet exclude each other"
        }
        if constraints.contains("userPresence"), constraints.count > 1 {
            return ".userPresence already contains the other constraint"
        }
        return nil
    }

    private static let missingOperator = Check("KC301") { file, report in
        for list in flagLists(file) {
            let constraints = list.flags.filter(AccessControl.constraintNames.contains)
            guard constraints.count > 1, !list.flags.contains("or"), !list.flags.contains("and"),
                conflict(in: list.flags) == nil
            else { continue }
            let names = constraints.map { "." + $0 }.joined(separator: " and ")
            report.report(
                list.node,
                "\(names) have no operator between them.",
                subjects: list.call.map { [$0] } ?? []
            )
        }
    }

    private static let illegalFlagCombination = Check("KC302") { file, report in
        for list in flagLists(file) {
            guard let conflict = conflict(in: list.flags) else { continue }
            report.report(
                list.node,
                "\(conflict): the call returns nil.",
                subjects: list.call.map { [$0] } ?? []
            )
        }
    }

    private static let biometricOnBackgroundClass = Check("KC303") { file, report in
        let classes = KeychainNames.deprecatedClasses.union([
            "kSecAttrAccessibleAfterFirstUnlock",
            "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
        ])
        for use in file.accessControls {
            guard let protection = use.control.protection, classes.contains(protection),
                let flag = use.control.constraints.first
            else { continue }
            report.report(
                use.control.call,
                ".\(flag) needs the user, so \(protection) gains nothing."
            )
        }
    }

    private static let booleanBiometricGate = calls("KC304") { call, file, report in
        guard call.name == "evaluatePolicy", !file.file.isTest else { return }
        let text = file.file.source.text
        let marks = ["kSecUseAuthenticationContext", "kSecUseOperationPrompt", "SecKeyCreate"]
        guard !marks.contains(where: text.contains), !text.contains("SecAccessControl"),
            !PromptGate.passesOn(call.base, in: file.file.tree),
            let function = file.file.function(around: call.node)
        else { return }
        let usesKeychain = text.contains("SecItem") || text.lowercased().contains("keychain")
        let finder = GateFinder(viewMode: .sourceAccurate)
        if !usesKeychain { finder.walk(function.body) }
        let effect = finder.effects.first
        guard let place = effect ?? PromptGate.effect(of: call, in: function, file.file) else {
            return
        }
        report.report(
            call.node,
            "The result of evaluatePolicy alone decides.",
            severity: effect == nil ? .warning : nil,
            related: [(place, "This unlocks the content.")]
        )
    }

    private static let secureEnclaveKeyWithoutUsage = uses("KC305") { use, _, report in
        guard use.role == .generate,
            use.dictionary.certain("kSecAttrTokenID")?.value.name == "kSecAttrTokenIDSecureEnclave"
        else { return }
        let inner = use.dictionary["kSecPrivateKeyAttrs"]?.value.dictionary
        let entry = inner?["kSecAttrAccessControl"] ?? use.dictionary["kSecAttrAccessControl"]
        guard let entry, let control = entry.value.accessControl, let flags = control.flags,
            !flags.contains("privateKeyUsage")
        else { return }
        report.report(
            control.flagsNode,
            related: [(use.node, "The key is created here.")],
            subjects: use.subjects
        )
    }

    private static let uncheckedAccessControl = Check("KC306") { file, report in
        guard !file.file.isTest else { return }
        for use in file.accessControls {
            var node = Syntax(use.control.call)
            while let parent = node.parent,
                parent.is(TupleExprSyntax.self)
                    || parent.is(LabeledExprSyntax.self)
                        && parent.parent?.parent?.is(TupleExprSyntax.self) == true
                    || parent.is(LabeledExprListSyntax.self)
                        && parent.parent?.is(TupleExprSyntax.self) == true
            {
                node = parent
            }
            if let force = node.parent?.as(ForceUnwrapExprSyntax.self) {
                report.report(force, subjects: [use.control.offset])
                continue
            }
            for place in OptionalControl.places(of: use.control.call, node, in: use.function) {
                report.report(
                    place,
                    "The access control may be nil here: the item then has none.",
                    subjects: [use.control.offset]
                )
            }
            let last = use.control.call.arguments.last?.expression
            guard last?.is(NilLiteralExprSyntax.self) == true,
                let binding = node.parent?.parent?.as(PatternBindingSyntax.self),
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else { continue }
            let finder = NameFinder(name)
            finder.walk(use.function.body)
            for found in finder.found where found.parent?.is(ForceUnwrapExprSyntax.self) == true {
                report.report(found, subjects: [use.control.offset])
            }
        }
    }

    private static let updateAccessControl = uses("KC307") { use, _, report in
        guard use.role == .updateValues,
            let entry = use.dictionary.certain("kSecAttrAccessControl")
        else { return }
        let severity: Severity = report.configuration.followsAppleSource ? .note : .error
        report.report(entry.node, severity: severity, subjects: use.subjects)
    }

    private static let longReuseDuration = Check("KC308") { file, report in
        guard file.file.source.text.contains("AuthenticationAllowableReuseDuration") else { return }
        let finder = AssignmentFinder("touchIDAuthenticationAllowableReuseDuration")
        finder.walk(file.file.tree)
        let limit = report.configuration.reuseDuration ?? 60
        for node in finder.found {
            let text = node.rightOperand.trimmedDescription
            let isMaximum = text.contains("LATouchIDAuthenticationMaximumAllowableReuseDuration")
            guard let seconds = isMaximum ? 300 : Arithmetic.value(of: node.rightOperand),
                seconds > limit
            else { continue }
            report.report(
                node,
                "A recent unlock stands in for the prompt for \(Int(seconds)) seconds.",
                severity: seconds > 300 ? .error : .warning
            )
        }
    }

    private static let weakBiometricFlag = Check("KC309") { file, report in
        let words = ["bank", "payment", "vault", "medical", "health", "wallet", "seedphrase"]
        for use in file.accessControls {
            let names = [use.function.name, use.function.typeName ?? ""]
            guard let flags = use.control.flags,
                flags.contains("biometryAny") || flags.contains("userPresence"),
                names.contains(where: { name in
                    words.contains(where: name.lowercased().contains)
                })
            else { continue }
            report.report(use.control.flagsNode)
        }
    }

    private static let noBiometryFallback = Check("KC311") { file, report in
        let text = file.file.source.text
        guard text.contains("canEvaluatePolicy"), text.contains("evaluatePolicy("),
            !file.file.isTest, !text.contains("LAError"), !text.contains("errorCode"),
            !text.contains(".deviceOwnerAuthentication,"), !text.lowercased().contains("passcode")
        else { return }
        for call in file.file.calls where call.name == "canEvaluatePolicy" {
            guard let function = file.file.function(around: call.node),
                file.file.calls.contains(where: {
                    $0.name == "evaluatePolicy" && function.contains($0.node)
                }),
                DeadEnd.follows(call.node)
            else { continue }
            report.report(call.node)
        }
    }

    private static let gatedAndSynchronizable = uses("KC313") { use, _, report in
        guard [.add, .addLike, .updateValues].contains(use.role), use.isSynchronizable,
            let control = use.dictionary.certain("kSecAttrAccessControl")
        else { return }
        let sync = use.dictionary["kSecAttrSynchronizable"]?.node ?? control.node
        report.report(
            sync,
            related: [(control.node, "The access control is here.")],
            subjects: use.subjects
        )
    }

    private static let authenticationSkipMisuse = uses("KC314") { use, _, report in
        guard [.add, .addLike, .delete, .updateQuery, .updateValues].contains(use.role),
            let entry = use.dictionary.certain("kSecUseAuthenticationUI"),
            entry.value.name == "kSecUseAuthenticationUISkip"
        else { return }
        report.report(entry.node, subjects: use.subjects)
    }
}
