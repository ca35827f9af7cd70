import LintModel
import SwiftSyntax

/// The facts that the linter knows about a file.
package struct FileAnalysis: Sendable {
    package let file: ParsedFile
    /// The dictionaries, with their uses.
    package let uses: [QueryUse]
    package let calls: [SecurityCall]
    package let accessControls: [AccessControlUse]
    /// The lists of flags in variables, with their places.
    package let flagSets: [FlagSet]
    /// Whether the file uses the keychain, directly or through a function with such a name.
    package let usesKeychain: Bool
    /// Functions that exceeded their steps, so that their further values are unknown.
    package let unfinished: [FunctionInfo]

    package struct AccessControlUse: Sendable {
        package let control: AccessControl
        package let function: FunctionInfo
    }

    package struct FlagSet: Sendable {
        package let flags: [String]
        package let node: Syntax
    }

    package init(_ file: ParsedFile, _ index: ConstantIndex) {
        self.file = file
        let evaluator = Evaluator(file, index)
        evaluator.run()
        uses = Self.unique(evaluator.uses)
        calls = Self.unique(evaluator.calls)
        accessControls = evaluator.accessControls.map {
            AccessControlUse(control: $0.control, function: $0.function)
        }
        flagSets = evaluator.flagSets.map { FlagSet(flags: $0.flags, node: $0.node) }
        unfinished = evaluator.unfinished
        usesKeychain =
            file.source.text.contains("SecItem")
            || file.calls.contains { ($0.base + $0.name).lowercased().contains("keychain") }
    }

    /// Returns each call once; loops and closures run more than once, so a call can be recorded
    /// twice.
    private static func unique(_ calls: [SecurityCall]) -> [SecurityCall] {
        var seen: Set<Int> = []
        return calls.reversed().filter { seen.insert($0.start).inserted }
            .sorted { $0.start < $1.start }
    }

    private static func unique(_ uses: [QueryUse]) -> [QueryUse] {
        var seen: Set<[Int]> = []
        return uses.filter { use in
            let role = use.role == .updateValues ? 1 : 0
            return seen.insert(
                [use.call?.start ?? -1, use.dictionary.literal.start, role, use.function.id]
            ).inserted
        }
    }

    /// Returns the calls in a function that have one of the names.
    package func calls(in function: FunctionInfo, named names: String...) -> [SecurityCall] {
        calls.filter { names.contains($0.name) && function.contains($0.node) }
    }
}
