import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

/// Functions of a team that call the keychain, found by their names.
enum Wrappers {
    private static let reads = [
        "read", "load", "get", "fetch", "retrieve", "find", "value", "data", "string",
    ]
    private static let writes = ["save", "set", "store", "write", "add", "insert", "upsert", "put"]
    private static let deletions = ["delete", "remove", "clear", "wipe", "purge", "reset"]

    static func isRead(_ call: CallInfo, _ configuration: Configuration) -> Bool {
        matches(call, reads, configuration)
    }

    static func isWrite(_ call: CallInfo, _ configuration: Configuration) -> Bool {
        matches(call, writes, configuration) && !isRead(call, configuration)
            || call.name == "SecItemAdd" || call.name == "SecItemUpdate"
    }

    static func isDelete(_ call: CallInfo, _ configuration: Configuration) -> Bool {
        matches(call, deletions, configuration) || call.name == "SecItemDelete"
    }

    /// Whether the name of a call says that it deletes everything in the keychain.
    static func deletesAll(_ call: CallInfo) -> Bool {
        let names = ["wipe", "clear", "reset", "purge", "erase"]
        let beginnings = ["removeAll", "deleteAll", "wipe", "clearAll", "eraseAll"]
        return call.base.lowercased().contains("keychain")
            && (names.contains(call.name) || beginnings.contains(where: call.name.hasPrefix))
    }

    /// Whether the name of a call refers to an earlier keychain.
    static func isLegacy(_ call: CallInfo) -> Bool {
        let name = lastName(call.base)
        return ["old", "legacy", "previous", "former"].contains {
            SecretNames.parts(of: name).contains($0)
        }
    }

    /// Whether the name of a call refers to the keychain and to one of the verbs.
    private static func matches(
        _ call: CallInfo,
        _ verbs: [String],
        _ configuration: Configuration
    ) -> Bool {
        guard !call.name.hasPrefix("Sec") else { return false }
        let names = ["keychain"] + (configuration.wrappers ?? []).map { $0.lowercased() }
        let name = call.name.lowercased()
        let base = call.base.lowercased()
        guard
            names.contains(where: {
                name.contains($0) || lastName(base).contains($0)
                    || base.contains($0 + ".shared") || base.contains($0 + "manager.")
            })
        else { return false }
        let parts = SecretNames.parts(of: call.name)
        return parts.contains(where: verbs.contains)
    }

    private static func lastName(_ base: String) -> String {
        let parts = base.split(separator: ".").filter {
            !["shared", "standard", "default"].contains($0)
        }
        return parts.last.map(String.init) ?? base
    }
}
