import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension ProjectCheck {
    static let project: [ProjectCheck] = [
        passcodeClassWithoutAbsence, currentSetWithoutRecovery, thisDeviceWithoutLossPath,
        renamedItem, syncBlindQuery, partialLogout,
    ]

    private static let passcodeClassWithoutAbsence = ProjectCheck("KC208") { facts, reporter in
        guard !facts.mentions("errSecItemNotFound", "-25300") else { return }
        for (use, file) in facts.adds where use.accessibility == KeychainNames.whenPasscodeSet {
            reporter.report(use.node, in: file)
        }
    }

    private static let currentSetWithoutRecovery = ProjectCheck("KC312") { facts, reporter in
        guard
            !facts.mentions(
                "errSecItemNotFound",
                "-25300",
                "errSecAuthFailed",
                "-25293",
                "evaluatedPolicyDomainState",
                "domainState"
            )
        else { return }
        for (use, file) in facts.adds {
            guard let flags = use.accessControl?.flags, flags.contains("biometryCurrentSet"),
                !flags.contains("or")
            else { continue }
            reporter.report(use.node, in: file)
        }
    }

    private static let thisDeviceWithoutLossPath = ProjectCheck("KC602") { facts, reporter in
        guard !facts.mentions("errSecItemNotFound", "-25300") else { return }
        for (use, file) in facts.adds {
            guard use.call != nil, use.accessibility?.hasSuffix("ThisDeviceOnly") == true,
                use.accessibility != KeychainNames.whenPasscodeSet
            else { continue }
            reporter.report(use.node, in: file)
        }
    }

    private static let renamedItem = ProjectCheck("KC609") { facts, reporter in
        let old = facts.project.baselineItems
        guard !old.isEmpty else { return }
        let current = Items.all(in: facts.project)
        for (use, file) in facts.adds {
            guard let service = use.text(of: "kSecAttrService"),
                let account = use.text(of: "kSecAttrAccount"),
                !old.contains(Baseline.Item(service: service, account: account)),
                let former = old.first(where: {
                    ($0.account == account) != ($0.service == service) && !current.contains($0)
                })
            else { continue }
            let gone = former.account == account ? former.service : former.account
            guard !facts.mentions("\"\(gone)\"") else { continue }
            reporter.report(
                use.node,
                in: file,
                "The last release stored this item as \(former.service) and \(former.account)."
            )
        }
    }

    private static let syncBlindQuery = ProjectCheck("KC710") { facts, reporter in
        let synchronized = facts.adds.filter(\.use.isSynchronizable)
        guard !synchronized.isEmpty else { return }
        for file in facts.project.files where !file.file.isTest {
            for use in file.uses {
                guard [.copy, .delete, .updateQuery].contains(use.role),
                    use.dictionary.lacks("kSecAttrSynchronizable"), !use.hasReference,
                    synchronized.contains(where: { isSame(use, $0.use) })
                else { continue }
                reporter.report(use.node, in: file)
            }
        }
    }

    private static func isSame(_ query: QueryUse, _ add: QueryUse) -> Bool {
        let key = query.itemClass == .internetPassword ? "kSecAttrServer" : "kSecAttrService"
        guard query.itemClass == add.itemClass, query.dictionary[key] != nil,
            query.dictionary[key]?.value.string != nil, query.agrees(with: add, on: key)
        else { return false }
        let account = query.text(of: "kSecAttrAccount")
        return account == nil || account == add.text(of: "kSecAttrAccount")
    }

    private static let partialLogout = ProjectCheck("KC909") { facts, reporter in
        var accounts: [String: Set<String>] = [:]
        for (use, _) in facts.adds {
            guard let service = use.text(of: "kSecAttrService"),
                let account = use.text(of: "kSecAttrAccount")
            else { continue }
            accounts[service, default: []].insert(account)
        }
        for file in facts.project.files where !file.file.isTest {
            for function in file.file.functions
            where function.isNamed(["logout", "signout", "logoff"]) {
                let deletes = file.uses.filter {
                    $0.role == .delete && $0.function.id == function.id
                }
                guard let first = deletes.first, let service = first.text(of: "kSecAttrService"),
                    deletes.allSatisfy({ $0.text(of: "kSecAttrAccount") != nil }),
                    let stored = accounts[service]
                else { continue }
                let left = stored.subtracting(deletes.compactMap { $0.text(of: "kSecAttrAccount") })
                guard !left.isEmpty else { continue }
                reporter.report(
                    first.node,
                    in: file,
                    "The sign-out leaves \(left.sorted().joined(separator: ", ")) of \(service)."
                )
            }
        }
    }
}

/// The items that a project names by texts.
package enum Items {
    package static func all(in project: Project) -> [Baseline.Item] {
        var items: Set<Baseline.Item> = []
        for file in project.files where !file.file.isTest {
            for use in file.uses {
                guard let service = use.text(of: "kSecAttrService"),
                    let account = use.text(of: "kSecAttrAccount")
                else { continue }
                items.insert(.init(service: service, account: account))
            }
        }
        return items.sorted { ($0.service, $0.account) < ($1.service, $1.account) }
    }
}
