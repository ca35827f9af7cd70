import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let queries: [Check] = [
        incompletePrimaryKey, accessibleInSearch, nonKeyAttributeLookup, missingReturnFlag,
        implicitMatchLimit, broadDelete, matchKeyOutsideSearch, keyInWrongDictionary,
        dictionaryReuse, rawStringKey, overFetch, unscopedEnumeration, genericAsIdentifier,
        missingClass, resultCastMismatch,
    ]

    private static func mainKeys(of itemClass: ItemClass) -> [String] {
        itemClass == .internetPassword
            ? ["kSecAttrServer", "kSecAttrAccount"] : ["kSecAttrService", "kSecAttrAccount"]
    }

    private static let incompletePrimaryKey = uses("KC101") { use, file, report in
        guard let itemClass = use.itemClass, itemClass.isPassword, !use.hasReference else { return }
        let keys = mainKeys(of: itemClass)
        let missing = keys.filter(use.dictionary.lacks)
        guard !missing.isEmpty else { return }
        let names = missing.joined(separator: " and ") + (missing.count == 1 ? " is" : " are")
        switch use.role {
        case .add, .addLike, .updateQuery:
            let isUsedElsewhere = file.uses.contains { other in
                other.itemClass == itemClass && missing.contains { other.dictionary[$0] != nil }
            }
            guard missing.count == keys.count || isUsedElsewhere else { return }
            report.report(
                use.node,
                "\(names) missing: the primary key is incomplete.",
                related: use.literal,
                subjects: use.subjects
            )
        case .copy, .searchLike:
            guard !use.asksForAll else { return }
            report.report(
                use.node,
                "\(names) missing: the query can find another item.",
                severity: .note,
                related: use.literal,
                subjects: use.subjects
            )
        default: return
        }
    }

    private static let accessibleInSearch = uses("KC102") { use, _, report in
        guard [.copy, .searchLike, .delete, .updateQuery].contains(use.role),
            let entry = use.dictionary.certain("kSecAttrAccessible"),
            !(use.asksForAll && use.returnsAttributesAlone)
        else { return }
        report.report(entry.node, subjects: use.subjects)
    }

    private static let nonKeyAttributeLookup = uses("KC103") { use, file, report in
        let others = [
            "kSecAttrLabel", "kSecAttrComment", "kSecAttrDescription", "kSecAttrType",
            "kSecAttrCreator",
        ]
        guard use.isSearch, !use.asksForAll, let itemClass = use.itemClass, itemClass.isPassword,
            let entry = others.lazy.compactMap({ use.dictionary.certain($0) }).first,
            let add = file.uses.first(where: {
                $0.isAdd && $0.function.id == use.function.id && $0.itemClass == itemClass
            }),
            mainKeys(of: itemClass).contains(where: { use.dictionary[$0] != nil }),
            mainKeys(of: itemClass).allSatisfy({
                use.dictionary[$0] == nil || use.agrees(with: add, on: $0)
            })
        else { return }
        report.report(
            entry.node,
            "\(entry.key) is no part of the primary key, but the query compares it.",
            related: [(add.node, "This adds the item.")],
            subjects: use.subjects
        )
    }

    private static let missingReturnFlag = uses("KC104") { use, _, report in
        guard use.role == .copy, use.dictionary.lacks(all: KeychainNames.returnKeys),
            let call = use.call, let name = call.resultName,
            ResultUses(of: name, after: call).isUsed
        else { return }
        report.report(use.node, related: use.literal, subjects: use.subjects)
    }

    private static let implicitMatchLimit = uses("KC105") { use, _, report in
        guard use.role == .copy, use.dictionary.lacks("kSecMatchLimit") else { return }
        report.report(use.node, related: use.literal)
    }

    private static let broadDelete = uses("KC107") { use, file, report in
        guard use.role == .delete, let itemClass = use.itemClass, !use.hasReference,
            !use.dictionary.isOpen, !use.function.isWipe, !file.file.isTest,
            !isWipedInLoop(use)
        else { return }
        let scope: Set<String> = ["kSecAttrSynchronizable", "kSecUseDataProtectionKeychain"]
        let own = use.dictionary.keys.filter {
            $0.hasPrefix("kSecAttr") && !scope.contains($0) && $0 != "kSecAttrAccessGroup"
        }
        let isGrouped = use.dictionary["kSecAttrAccessGroup"] != nil
        if own.isEmpty, isGrouped, itemClass.isPassword {
            // An access group limits the delete, and may exist only for these items.
            return report.report(
                use.node,
                "This deletes every \(itemClass.rawValue) item of the access group.",
                related: use.literal,
                subjects: use.subjects
            )
        }
        if own.isEmpty {
            let name = itemClass.rawValue
            return report.report(
                use.node,
                "This deletes every \(name) item that the program can see.",
                severity: .error,
                related: use.literal,
                subjects: use.subjects
            )
        }
        guard itemClass.isPassword, mainKeys(of: itemClass).contains(where: use.dictionary.lacks),
            !use.function.isNamed(["delete", "remove"])
                || !use.function.isNamed(["service", "server"])
        else { return }
        report.report(
            use.node,
            "The query names no single item: every match is deleted.",
            related: use.literal,
            subjects: use.subjects
        )
    }

    /// Whether the delete is in a loop over the classes, which is meant to delete everything.
    private static func isWipedInLoop(_ use: QueryUse) -> Bool {
        guard case .anyOf? = use.dictionary["kSecClass"]?.value else { return false }
        return true
    }

    private static let matchKeyOutsideSearch = uses("KC108") { use, _, report in
        guard [.add, .addLike, .delete, .updateQuery, .updateValues].contains(use.role) else {
            return
        }
        for key in use.dictionary.keys
        where key.hasPrefix("kSecMatch") && key != "kSecMatchItemList" {
            guard let entry = use.dictionary.certain(key) else { continue }
            report.report(
                entry.node,
                "\(key) belongs in a search; here the call fails with -50.",
                subjects: use.subjects
            )
        }
    }

    private static let keyInWrongDictionary = uses("KC109") { use, _, report in
        for key in use.dictionary.keys {
            guard let entry = use.dictionary.certain(key) else { continue }
            let isReturn = key.hasPrefix("kSecReturn")
            let isWrong =
                use.role == .updateValues && (isReturn || key == "kSecClass")
                || use.role == .updateQuery && isReturn
            guard isWrong else { continue }
            let place = use.role == .updateQuery ? "query" : "new values"
            report.report(
                entry.node,
                "\(key) does not belong in the \(place) of an update.",
                subjects: use.subjects
            )
        }
    }

    private static let dictionaryReuse = Check("KC110") { file, report in
        var seen: [String: (call: SecurityCall, version: Int)] = [:]
        for call in file.calls {
            for (name, version) in call.variables.sorted(by: { $0.key < $1.key }) {
                let key = "\(call.function.id) \(name)"
                guard file.uses.contains(where: { $0.call?.start == call.start }),
                    name != call.resultName
                else { continue }
                if let earlier = seen[key], earlier.version != version,
                    earlier.call.name != call.name
                {
                    report.report(
                        call.node,
                        "`\(name)` changed since \(earlier.call.name) used it.",
                        related: [(Syntax(earlier.call.node), "The first use.")]
                    )
                }
                seen[key] = (call, version)
            }
        }
    }

    private static let rawStringKey = uses("KC111") { use, _, report in
        let raw = use.dictionary.entries.values.filter(\.isRawKey)
            .sorted { $0.node.start < $1.node.start }
        guard raw.count >= 2, let first = raw.first else { return }
        let names = raw.map(\.key).joined(separator: ", ")
        report.report(first.node, "Keys are spelled as text instead of \(names).")
    }

    private static let overFetch = uses("KC112") { use, _, report in
        guard use.role == .copy, let entry = use.dictionary.certain("kSecReturnData"),
            entry.value.bool == true, let call = use.call, !use.isInlined
        else { return }
        let isNil = call.node.arguments.dropFirst().first?.expression.is(NilLiteralExprSyntax.self)
        let isUnused = call.resultName.map { !ResultUses(of: $0, after: call).isUsed } ?? false
        guard isNil == true || isUnused else { return }
        report.report(entry.node)
    }

    private static let unscopedEnumeration = uses("KC113") { use, _, report in
        guard use.isSearch, use.asksForAll, !use.dictionary.isOpen,
            use.itemClass != nil || use.dictionary["kSecClass"]?.value.names != nil,
            !use.dictionary.keys.contains(where: {
                $0.hasPrefix("kSecAttr") && $0 != "kSecAttrSynchronizable"
            })
        else { return }
        report.report(use.node, related: use.literal)
    }

    private static let genericAsIdentifier = uses("KC114") { use, _, report in
        guard use.itemClass == .genericPassword, use.role != .updateValues,
            let entry = use.dictionary.certain("kSecAttrGeneric"),
            use.dictionary.lacks(all: ["kSecAttrService", "kSecAttrAccount"])
        else { return }
        report.report(entry.node, subjects: use.subjects)
    }

    private static let missingClass = uses("KC115") { use, _, report in
        guard [.add, .copy, .delete, .updateQuery].contains(use.role),
            use.dictionary.lacks("kSecClass"), !use.hasReference
        else { return }
        report.report(use.node, related: use.literal, subjects: use.subjects)
    }
}
