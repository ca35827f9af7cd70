import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

/// The steps of a function that moves secrets into the keychain.
struct Migrations {
    struct LegacyRead {
        let call: CallInfo
        /// The key or file, as the code spells it.
        let key: String
    }

    let function: FunctionInfo
    let reads: [LegacyRead]
    let removals: [LegacyRead]
    let writes: [CallInfo]
    let readBacks: [CallInfo]
    let deletions: [CallInfo]

    init(_ function: FunctionInfo, _ file: FileAnalysis, _ configuration: Configuration) {
        self.function = function
        let calls = file.file.calls.filter {
            function.contains($0.node) && file.file.function(around: $0.node)?.id == function.id
        }
        reads = calls.compactMap { Self.read($0, in: function, file.file) }
        removals = calls.compactMap(Self.removal)
        writes = calls.filter { Wrappers.isWrite($0, configuration) }
        readBacks = calls.filter {
            $0.name == "SecItemCopyMatching" || Wrappers.isRead($0, configuration)
        }
        deletions = calls.filter { Wrappers.isDelete($0, configuration) }
    }

    /// Returns the legacy read whose value a write stores; nil if there is none.
    func source(of write: CallInfo, _ file: FileAnalysis) -> LegacyRead? {
        var text = ""
        let uses = file.uses.filter { $0.call?.start == write.node.start }
        if let value = uses.lazy.compactMap({ $0.dictionary["kSecValueData"]?.expression }).first {
            text = Provenance.text(of: value, in: function, file.file)
        } else {
            text = write.node.arguments.map {
                Provenance.text(of: $0.expression, in: function, file.file)
            }.joined(separator: "\n")
        }
        return reads.first { text.contains($0.call.node.trimmedDescription) }
    }

    func isReadBack(after start: Int, before end: Int) -> Bool {
        readBacks.contains { $0.node.start > start && $0.node.start < end }
    }

    static func isDefaults(_ base: String) -> Bool {
        base.hasPrefix("UserDefaults") || base.hasPrefix("NSUserDefaults")
            || base.lowercased().hasSuffix("defaults")
    }

    /// Whether a base is the user's defaults, or a variable with them.
    static func isDefaults(
        _ call: CallInfo,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> Bool {
        if isDefaults(call.base) { return true }
        guard let base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base else {
            return false
        }
        let origin =
            Provenance.text(of: base, in: function, file, depth: 1) + "\n"
            + ValueTypes.text(of: base, in: function, file)
        return origin.contains("UserDefaults")
    }

    private static func read(
        _ call: CallInfo,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> LegacyRead? {
        let names = ["string", "data", "object", "value", "array", "dictionary", "stringArray"]
        if names.contains(call.name), let key = call.argument("forKey"),
            isDefaults(call, in: function, file)
        {
            return LegacyRead(call: call, key: key.trimmedDescription)
        }
        if Wrappers.isLegacy(call), Wrappers.isRead(call, Configuration()),
            let key = call.node.arguments.first?.expression
        {
            return LegacyRead(call: call, key: key.trimmedDescription)
        }
        let files = ["Data", "NSData", "String", "NSDictionary"]
        guard files.contains(call.name), call.base.isEmpty else { return nil }
        let path = call.argument("contentsOf") ?? call.argument("contentsOfFile")
        return path.map { LegacyRead(call: call, key: $0.trimmedDescription) }
    }

    private static func removal(_ call: CallInfo) -> LegacyRead? {
        if call.name == "removeObject", isDefaults(call.base), let key = call.argument("forKey") {
            return LegacyRead(call: call, key: key.trimmedDescription)
        }
        if Wrappers.isLegacy(call), Wrappers.isDelete(call, Configuration()) {
            let key = call.node.arguments.first?.expression.trimmedDescription
            return LegacyRead(call: call, key: key ?? "")
        }
        guard call.name == "removeItem" else { return nil }
        let path = call.argument("at") ?? call.argument("atPath")
        return path.map { LegacyRead(call: call, key: $0.trimmedDescription) }
    }

    private static let versionWords = [
        "version", "migrated", "didmigrate", "hasmigrated", "migrationdone", "completed",
    ]

    /// Whether a migration is not recorded as done, and its source stays.
    static func runsEveryLaunch(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        guard function.isMigration, !file.file.isTest else { return false }
        return copiesWithoutEnd(function, file)
    }

    /// Whether a function copies an old store into the keychain at every launch.
    ///
    /// It neither removes the old copy nor records that it is done.
    static func copiesWithoutEnd(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        let steps = Migrations(function, file, Configuration())
        return steps.removals.isEmpty && !isVersioned(function)
            && steps.writes.contains { steps.source(of: $0, file) != nil }
            && !isGuarded(function, file)
    }

    /// Whether code checks a version, or a mark that a step is done.
    static func isVersioned(_ function: FunctionInfo) -> Bool {
        versionWords.contains(where: function.text.lowercased().contains)
    }

    /// Whether a caller in this file checks a version before.
    private static func isGuarded(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        file.file.functions.contains { caller in
            caller.id != function.id && caller.text.contains(function.name)
                && versionWords.contains(where: caller.text.lowercased().contains)
        }
    }
}
