import LintAnalysis
import SwiftSyntax

/// The types of values, as a file declares them.
enum ValueTypes {
    /// Returns the types of the names in an expression, as text.
    ///
    /// They are those of parameters, variables and properties, and the enclosing type for its own
    /// members.
    static func text(
        of expression: some SyntaxProtocol,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> String {
        let names = NameCollector(viewMode: .sourceAccurate)
        names.walk(Syntax(expression))
        let finder = AnnotationFinder(names.found)
        finder.walk(file.tree)
        var types = finder.found
        types += function.parameters.filter { names.found.contains($0.name) }.map(\.type)
        if names.found.contains("self") || names.hasImplicitSelf {
            let node = Syntax(expression)
            let own = node.firstAncestor(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            if let own = own ?? function.typeName { types.append(own) }
        }
        return types.joined(separator: "\n")
    }

    /// Returns the same, including the variables from which the expression gets its value.
    static func texts(
        of expression: ExprSyntax,
        in function: FunctionInfo,
        _ file: ParsedFile,
        depth: Int = 3
    ) -> String {
        let own = text(of: expression, in: function, file)
        guard depth > 0 else { return own }
        return Provenance.values(of: expression, in: function, file).reduce(own) { all, value in
            all + "\n" + texts(of: value, in: function, file, depth: depth - 1)
        }
    }

    /// Returns the arguments of callers in the file for the parameter that an expression names.
    static func arguments(
        for expression: ExprSyntax,
        of function: FunctionInfo,
        _ file: ParsedFile
    ) -> [(value: ExprSyntax, caller: FunctionInfo)] {
        guard let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let index = function.parameters.firstIndex(where: { $0.name == name })
        else { return [] }
        let label = function.parameters[index].label
        return file.calls.compactMap { call in
            guard call.name == function.name, let caller = file.function(around: call.node),
                caller.id != function.id,
                let value = label.map({ call.argument($0) }) ?? call.argument(at: index)
            else { return nil }
            return (value, caller)
        }
    }

    /// Returns the names of the stored properties of a type in the file.
    static func properties(of type: String, in file: ParsedFile) -> [String] {
        let finder = PropertyFinder(type.filter { $0.isLetter || $0.isNumber || $0 == "_" })
        finder.walk(file.tree)
        return finder.found
    }

    private final class NameCollector: SyntaxVisitor {
        private(set) var found: Set<String> = []
        /// Whether the first name has no base, and may be a property of the enclosing type.
        private(set) var hasImplicitSelf = false

        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
            found.insert(node.baseName.text)
            if !isMember, ["rawRepresentation", "dataRepresentation"].contains(node.baseName.text) {
                hasImplicitSelf = true
            }
            return .visitChildren
        }
    }

    private final class AnnotationFinder: SyntaxVisitor {
        private let names: Set<String>
        private(set) var found: [String] = []

        init(_ names: Set<String>) {
            self.names = names
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
            guard names.contains(node.pattern.trimmedDescription) else { return .visitChildren }
            if let type = node.typeAnnotation?.type { found.append(type.trimmedDescription) }
            if let value = node.initializer?.value { found.append(value.trimmedDescription) }
            return .visitChildren
        }
    }

    private final class PropertyFinder: SyntaxVisitor {
        private let type: String
        private(set) var found: [String] = []

        init(_ type: String) {
            self.type = type
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
            read(node.name.text, node.memberBlock)
        }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            read(node.name.text, node.memberBlock)
        }

        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
            read(node.name.text, node.memberBlock)
        }

        private func read(_ name: String, _ block: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
            guard name == type else { return .visitChildren }
            for member in block.members {
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
                for binding in variable.bindings where binding.accessorBlock == nil {
                    found.append(binding.pattern.trimmedDescription)
                }
            }
            return .visitChildren
        }
    }
}
