import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension ProjectCheck {
    static let background: [ProjectCheck] = [
        whenUnlockedInBackground, whenPasscodeSetInBackground, gatedReadInBackground,
        backgroundMigration,
    ]

    /// A use in background code, and the add of the same item.
    private struct BackgroundUse {
        let use: QueryUse
        let file: FileAnalysis
        let add: QueryUse
        let addFile: FileAnalysis

        var related: [Finding.Related] {
            [
                Finding.Related(
                    place: addFile.file.place(add.node),
                    message: "The item is added here."
                )
            ]
        }
    }

    private static func backgroundUses(_ facts: ProjectFacts) -> [BackgroundUse] {
        guard !facts.background.isEmpty else { return [] }
        let adds = facts.adds
        return facts.background.sorted { ($0.file, $0.function) < ($1.file, $1.function) }
            .flatMap { location -> [BackgroundUse] in
                let file = facts.project.files[location.file]
                let function = facts.function(location)
                return file.uses.filter { $0.function.id == function.id }.compactMap { use in
                    if use.role == .add {
                        return BackgroundUse(use: use, file: file, add: use, addFile: file)
                    }
                    guard use.role == .copy, let match = adds.first(where: { isSame(use, $0.use) })
                    else { return nil }
                    return BackgroundUse(use: use, file: file, add: match.use, addFile: match.file)
                }
            }
    }

    /// Whether two dictionaries name the same item by texts.
    private static func isSame(_ left: QueryUse, _ right: QueryUse) -> Bool {
        guard let service = left.text(of: "kSecAttrService") ?? left.text(of: "kSecAttrServer"),
            let account = left.text(of: "kSecAttrAccount")
        else { return false }
        let other = right.text(of: "kSecAttrService") ?? right.text(of: "kSecAttrServer")
        return service == other && account == right.text(of: "kSecAttrAccount")
    }

    private static func report(_ found: BackgroundUse, _ report: inout Reporter, _ what: String) {
        report.file = found.file.file
        report.add(
            found.file.file.place(found.use.node),
            what,
            related: found.related,
            subjects: [found.use.node.start]
        )
    }

    private static let whenUnlockedInBackground = ProjectCheck("KC203") { facts, reporter in
        for found in backgroundUses(facts) {
            let add = found.add.dictionary
            let isDefault = add.lacks(all: ["kSecAttrAccessible", "kSecAttrAccessControl"])
            let isNamed =
                add.certain("kSecAttrAccessible")?.value.name
                .map(KeychainNames.whenUnlocked.contains) ?? false
            guard isDefault && found.use.role == .copy || isNamed else { continue }
            report(
                found,
                &reporter,
                "Background code uses an item that is readable only while unlocked."
            )
        }
    }

    private static let whenPasscodeSetInBackground = ProjectCheck("KC206") { facts, reporter in
        for found in backgroundUses(facts) {
            let name = found.add.dictionary.certain("kSecAttrAccessible")?.value.name
            guard name == KeychainNames.whenPasscodeSet else { continue }
            report(found, &reporter, "Background code uses an item of the WhenPasscodeSet class.")
        }
    }

    private static let gatedReadInBackground = ProjectCheck("KC310") { facts, reporter in
        for found in backgroundUses(facts) where found.use.role == .copy {
            guard found.add.dictionary.certain("kSecAttrAccessControl") != nil else { continue }
            report(
                found,
                &reporter,
                "The background cannot prompt, but the item has an access control."
            )
        }
    }

    private static let backgroundMigration = ProjectCheck("KC614") { facts, reporter in
        for location in facts.background.sorted(by: {
            ($0.file, $0.function) < ($1.file, $1.function)
        }) {
            let function = facts.function(location)
            let file = facts.project.files[location.file]
            guard function.isNamed(["migrat", "upgradeaccess"]), !facts.isGated(function),
                !facts.securityCalls(in: location).isEmpty
            else { continue }
            reporter.report(function.nameNode, in: file)
        }
    }
}
