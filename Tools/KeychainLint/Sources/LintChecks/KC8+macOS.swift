import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let macOS: [Check] = [
        missingDataProtection, accessControlWithoutDataProtection, legacyKeychain,
        mixedKeychainIdentity,
    ]

    private static let flag = "kSecUseDataProtectionKeychain"

    private static let missingDataProtection = uses("KC801") { use, file, report in
        guard [.add, .copy, .delete, .updateQuery].contains(use.role),
            report.configuration.dataProtectionKeychain != false,
            use.dictionary.lacks(flag), !use.isSynchronizable, !file.file.isTest,
            Platform.isMacOS(use.node, file.file, report.configuration)
        else { return }
        report.report(use.node, related: use.literal, subjects: use.subjects)
    }

    private static let accessControlWithoutDataProtection = uses("KC802") { use, file, report in
        let inner = use.dictionary["kSecPrivateKeyAttrs"]?.value.dictionary
        let control = use.dictionary["kSecAttrAccessControl"] ?? inner?["kSecAttrAccessControl"]
        let token = use.dictionary["kSecAttrTokenID"]
        guard [.add, .generate].contains(use.role), let entry = control ?? token,
            use.dictionary.lacks(flag), inner?[flag] == nil,
            Platform.isMacOS(use.node, file.file, report.configuration)
        else { return }
        report.report(
            use.node,
            related: [(entry.node, "This needs the data protection keychain.")],
            subjects: use.subjects
        )
    }

    private static let legacyKeychain = calls("KC803") { call, file, report in
        guard call.base.isEmpty,
            call.name.hasPrefix("SecKeychain") || call.name.hasPrefix("SecTrustedApplication")
                || call.name == "SecAccessCreate"
        else { return }
        report.report(call.node, "\(call.name) is deprecated.")
    }

    private static let mixedKeychainIdentity = Check("KC805") { file, report in
        let adds = file.uses.filter {
            $0.role == .add && !$0.dictionary.isOpen
                && Platform.isMacOS($0.node, file.file, report.configuration)
        }
        guard let certificate = adds.first(where: { $0.itemClass == .certificate }),
            let key = adds.first(where: { $0.itemClass == .key }),
            certificate.function.id == key.function.id
        else { return }
        func value(_ use: QueryUse) -> Bool { use.dictionary[flag]?.value.bool ?? false }
        guard value(certificate) != value(key) else { return }
        let wrong = value(certificate) ? key : certificate
        let other = value(certificate) ? certificate : key
        report.report(
            wrong.node,
            related: [(other.node, "The other half of the identity.")],
            subjects: wrong.subjects
        )
    }
}

/// The platform of code.
enum Platform {
    static func isMacOS(
        _ node: Syntax,
        _ file: ParsedFile,
        _ configuration: Configuration
    ) -> Bool {
        if let inside = condition(around: node) { return inside }
        if let named = configuration.platform { return named == "macOS" }
        if file.imports("UIKit", "WatchKit") && !file.imports("AppKit", "Cocoa") { return false }
        if let known = file.target?.isMacOS { return known }
        return file.imports("AppKit", "Cocoa") && !file.imports("UIKit")
    }

    /// Returns the condition of an `#if os(macOS)` around a node.
    private static func condition(around node: Syntax) -> Bool? {
        var current: Syntax? = node
        while let next = current {
            if let clause = next.as(IfConfigClauseSyntax.self) {
                let text = clause.condition?.trimmedDescription ?? ""
                let isElse = clause.condition == nil
                if isElse, let all = clause.parent?.as(IfConfigClauseListSyntax.self),
                    let first = all.first?.condition?.trimmedDescription
                {
                    if first == "os(macOS)" { return false }
                    if first == "os(iOS)" || first == "!os(macOS)" { return true }
                }
                if text == "os(macOS)" || text.hasPrefix("os(macOS) &&")
                    || text == "targetEnvironment(macCatalyst) || os(macOS)"
                {
                    return true
                }
                if text.contains("os(iOS)") || text == "!os(macOS)"
                    || text.contains("canImport(UIKit)")
                {
                    return false
                }
            }
            current = next.parent
        }
        return nil
    }
}
