import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension ProjectCheck {
    static let groups: [ProjectCheck] = [groupNotEntitled, extensionMissingGroup, implicitGroup]

    static let configuration: [ProjectCheck] = [
        dataProtectionInDaemon, secretInConfiguration, transportSecurityDisabled,
    ]

    // MARK: Access groups

    private struct GroupUse {
        let text: String
        let node: Syntax
        let use: QueryUse
        let file: FileAnalysis
        let target: Target
    }

    /// Returns the literal groups that the entitlements of their target lack.
    private static func missing(_ facts: ProjectFacts) -> [GroupUse] {
        facts.project.files.filter { !$0.file.isTest }.flatMap { file -> [GroupUse] in
            guard let target = file.file.target, let entitled = target.accessGroups else {
                return []
            }
            let names = Set(entitled.map { AccessGroup($0).name })
            return Check.groups(file).compactMap { group in
                let parsed = AccessGroup(group.text)
                guard [.withPrefix, .application, .withoutPrefix].contains(parsed.kind),
                    !names.contains(parsed.name), !entitled.contains(group.text),
                    !entitled.contains(where: { $0.hasSuffix("*") })
                else { return nil }
                return GroupUse(
                    text: group.text,
                    node: group.node,
                    use: group.use,
                    file: file,
                    target: target
                )
            }
        }
    }

    private static let groupNotEntitled = ProjectCheck("KC702") { facts, reporter in
        for found in missing(facts) {
            reporter.report(
                found.node,
                in: found.file,
                "The entitlements of \(name(found.target)) do not contain \"\(found.text)\".",
                subjects: found.use.subjects
            )
        }
    }

    private static let extensionMissingGroup = ProjectCheck("KC703") { facts, reporter in
        for found in missing(facts) where found.target.isExtension {
            reporter.report(
                found.node,
                in: found.file,
                "The extension \(name(found.target)) is not entitled to \"\(found.text)\".",
                subjects: found.use.subjects
            )
        }
    }

    private static func name(_ target: Target) -> String {
        target.directory.split(separator: "/").last.map(String.init) ?? "this target"
    }

    private static let implicitGroup = ProjectCheck("KC707") { facts, reporter in
        for (use, file) in facts.adds {
            guard let target = file.file.target,
                target.keychainGroups.count + target.applicationGroups.count > 1,
                use.dictionary.lacks("kSecAttrAccessGroup")
            else { continue }
            reporter.report(use.node, in: file)
        }
    }

    // MARK: Property lists

    private static let dataProtectionInDaemon = ProjectCheck("KC804") { facts, reporter in
        for file in facts.project.files where file.file.target?.kind == .daemon {
            for use in file.uses {
                guard let entry = use.dictionary.certain("kSecUseDataProtectionKeychain"),
                    entry.value.bool == true
                else { continue }
                reporter.report(entry.node, in: file)
            }
        }
    }

    private static let secretInConfiguration = ProjectCheck("KC908") { facts, reporter in
        let lists = facts.project.targets.compactMap(\.info) + facts.project.buildSettings
        for list in lists {
            for key in list.keys {
                guard let value = list.strings(key).first, list.strings(key).count == 1,
                    SecretNames.isSecret(key), !Literals.isPlaceholder(value),
                    value.count > 7
                else { continue }
                reporter.add(list.place(of: key), "\(key) ships with the app.")
            }
        }
    }

    private static let transportSecurityDisabled = ProjectCheck("KX22") { facts, reporter in
        for list in facts.project.targets.compactMap(\.info)
        where list.trueKeys.contains("NSAllowsArbitraryLoads") {
            reporter.add(list.place(of: "NSAllowsArbitraryLoads"))
        }
    }
}
