import LintAnalysis
import SwiftSyntax

/// Lists of flags in values of the program's own types: `Policy(flags: [.userPresence, …])`.
enum FlagArguments {
    private static let labels = [
        "flags", "createFlags", "accessControlFlags", "accessControl", "constraints",
    ]

    /// Returns each list with its place, without calls of the system.
    static func lists(
        in file: FileAnalysis
    ) -> [(flags: [String], node: Syntax, call: Int?)] {
        guard file.file.source.text.contains("AccessControl") else { return [] }
        let finder = Finder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        return finder.found.map { ($0.0, Syntax($0.1), nil) }
    }

    private final class Finder: SyntaxVisitor {
        private(set) var found: [([String], ArrayExprSyntax)] = []

        override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
            guard let label = node.label?.text, labels.contains(label),
                let list = node.expression.as(ArrayExprSyntax.self)
            else { return .visitChildren }
            let names = list.elements.map { element -> String? in
                let member = element.expression.as(MemberAccessExprSyntax.self)
                return member?.base == nil ? member?.declName.baseName.text : nil
            }
            let flags = names.compactMap { $0 }.map { KeychainNames.flags[$0] ?? $0 }
            // All names must be flags; a list of other values has other names.
            if flags.count == names.count, flags.count > 1, flags.allSatisfy(isFlag) {
                found.append((flags, list))
            }
            return .visitChildren
        }

        private func isFlag(_ name: String) -> Bool {
            AccessControl.constraintNames.contains(name)
                || ["or", "and", "privateKeyUsage", "applicationPassword"].contains(name)
        }
    }
}
