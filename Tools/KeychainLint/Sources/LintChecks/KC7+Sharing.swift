import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let sharing: [Check] = [
        groupWithoutPrefix, syncWithThisDeviceOnly, syncToken, persistentReferenceOfSyncItem,
        mixedGroupSemantics, buildVariableInCode,
    ]

    static func groups(_ file: FileAnalysis) -> [(text: String, node: Syntax, use: QueryUse)] {
        file.uses.compactMap { use in
            guard let entry = use.dictionary["kSecAttrAccessGroup"], let text = entry.value.string
            else { return nil }
            return (text, entry.node, use)
        }
    }

    private static let groupWithoutPrefix = Check("KC701") { file, report in
        guard !file.file.isTest else { return }
        for group in groups(file) where AccessGroup(group.text).kind == .withoutPrefix {
            report.report(
                group.node,
                "\"\(group.text)\" has no team identifier in front.",
                subjects: group.use.subjects
            )
        }
    }

    private static let syncWithThisDeviceOnly = uses("KC704") { use, _, report in
        guard [.add, .addLike, .updateValues].contains(use.role), use.isSynchronizable,
            let entry = use.dictionary.certain("kSecAttrAccessible"),
            let names = entry.value.names, names.allSatisfy({ $0.hasSuffix("ThisDeviceOnly") })
        else { return }
        report.report(entry.node, subjects: use.subjects)
    }

    private static let syncToken = uses("KC705") { use, _, report in
        guard use.isAdd, use.isSynchronizable,
            let entry = use.dictionary.certain("kSecAttrSynchronizable"),
            let account = use.text(of: "kSecAttrAccount"), SecretNames.isSecret(account),
            SecretNames.parts(of: account).contains(where: ["token", "key", "apikey"].contains)
        else { return }
        report.report(entry.node)
    }

    private static let persistentReferenceOfSyncItem = uses("KC706") { use, _, report in
        guard use.isAdd || use.isSearch, use.isSynchronizable,
            let entry = use.dictionary.certain("kSecReturnPersistentRef"),
            entry.value.bool == true
        else { return }
        report.report(entry.node, subjects: use.subjects)
    }

    private static let mixedGroupSemantics = Check("KC708") { file, report in
        for group in groups(file) {
            let parsed = AccessGroup(group.text)
            let rest = file.file.target?.applicationGroups.map { String($0.dropFirst(6)) } ?? []
            guard parsed.kind == .mixed || rest.contains(group.text) else { continue }
            report.report(
                group.node,
                "\"\(group.text)\" mixes an app group with a keychain group.",
                subjects: group.use.subjects
            )
        }
    }

    private static let buildVariableInCode = Check("KC709") { file, report in
        let variables = ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]
        guard variables.contains(where: file.file.source.text.contains) else { return }
        var reported: Set<Int> = []
        for group in groups(file) where variables.contains(where: group.text.contains) {
            reported.insert(group.node.start)
            report.report(group.node, subjects: group.use.subjects)
        }
        guard reported.isEmpty else { return }
        for constant in file.file.constants {
            let text = constant.value.trimmedDescription
            guard variables.contains(where: text.contains), !text.contains("\n"),
                constant.name.lowercased().contains("group")
            else { continue }
            report.report(constant.value)
        }
    }
}

/// The kinds of access groups, by their form.
struct AccessGroup {
    enum Kind { case application, withPrefix, withoutPrefix, mixed, system, variable }

    let kind: Kind
    /// The part after the team identifier.
    let name: String

    init(_ text: String) {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let rest = labels.dropFirst().joined(separator: ".")
        if let end = text.firstIndex(of: ")"), text.hasPrefix("$(") {
            name = String(text[text.index(after: end)...])
            kind = .variable
        } else if text.hasPrefix("group.") {
            (name, kind) = (text, .application)
        } else if text.hasPrefix("com.apple.") {
            (name, kind) = (text, .system)
        } else if Self.isTeam(labels[0]) {
            name = rest
            kind = rest.hasPrefix("group.") ? .mixed : .withPrefix
        } else {
            name = text
            kind = labels.count > 2 ? .withoutPrefix : .system
        }
    }

    /// Whether a label is ten capital letters and digits, or a placeholder in capital letters.
    private static func isTeam(_ label: String) -> Bool {
        guard label.count >= 4 else { return false }
        return label.allSatisfy { $0.isNumber || $0.isUppercase || $0 == "_" || $0 == "-" }
            || label.hasPrefix("<")
    }
}
