import LintModel
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A source file as a tree, with lists of its declarations.
package struct ParsedFile: Sendable {
    package let source: SourceText
    package let tree: SourceFileSyntax
    package let target: Target?
    package let imports: [Import]
    package let types: [TypeInfo]
    package let functions: [FunctionInfo]
    /// Constants with an initial value: global ones by name, members as `Type.name`.
    package let constants: [Constant]
    package let calls: [CallInfo]
    package let suppressions: [Suppression]
    /// Comments that may be meant for the linter.
    package let comments: [LineComment]
    /// Whether the file contains tests, in which expectations are not mistakes.
    package let isTest: Bool

    package struct Import: Sendable {
        package let module: String
        package let node: ImportDeclSyntax
    }

    /// A `let` or `var` outside functions.
    package struct Constant: Sendable {
        package let name: String
        package let value: ExprSyntax
        package let isConstant: Bool
        /// Whether only this file can change it.
        package var isPrivate = false
    }

    package init(source: SourceText, target: Target?) {
        self.source = source
        self.target = target
        let parsed = Parser.parse(source: source.text)
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        tree = folded.as(SourceFileSyntax.self) ?? parsed
        let reader = DeclarationReader(tree)
        imports = reader.imports
        types = reader.types
        functions = reader.functions
        constants = reader.constants
        calls = reader.calls
        comments = LineComment.mayExist(in: source) ? tree.lineComments(of: source) : []
        suppressions = Suppression.all(in: comments, lineCount: source.lineCount)
        let modules = Set(reader.imports.map(\.module))
        let folders = source.path.split(separator: "/").dropLast()
        isTest =
            !modules.isDisjoint(with: ["XCTest", "Testing", "Quick"]) || target?.kind == .test
            || folders.contains { $0.hasSuffix("Tests") || $0 == "Test" || $0.hasSuffix("Mocks") }
            || source.path.hasSuffix("Tests.swift")
            || reader.functions.contains { $0.attributes.contains { $0.hasPrefix("@Test") } }
    }

    package func imports(_ modules: String...) -> Bool {
        imports.contains { modules.contains($0.module) }
    }

    package func place(_ node: some SyntaxProtocol) -> Place { source.place(node.span) }

    /// Returns the innermost function that contains a node.
    package func function(around node: some SyntaxProtocol) -> FunctionInfo? {
        functions.filter {
            $0.node.start <= node.start && node.end <= $0.node.end && !$0.isTopLevel
        }
        .max { $0.node.start < $1.node.start } ?? functions.first(where: \.isTopLevel)
    }
}

/// A type, or an extension of one.
package struct TypeInfo: Sendable {
    package let name: String
    package let keyword: String
    package let inherited: [String]
    package let attributes: [String]
    package let node: Syntax
    /// Stored properties that can change.
    package let variables: [String]
}

/// A piece of code: a function, an initializer, an accessor, or the statements of a file.
package struct FunctionInfo: Sendable {
    package let name: String
    package let typeName: String?
    /// The types that the enclosing type inherits from or conforms to.
    package let inherited: [String]
    /// Attributes of the function and of its type.
    package let attributes: [String]
    package let parameters: [Parameter]
    package let returnType: String?
    package let node: Syntax
    package let body: CodeBlockItemListSyntax
    package let isTopLevel: Bool
    /// Whether it is a computed property.
    package let isProperty: Bool

    package struct Parameter: Sendable {
        package let label: String?
        package let name: String
        package let type: String
    }

    package var id: Int { body.position.utf8Offset }

    /// The body as text, without comments.
    package let text: String

    /// Whether its name contains one of these words, in any case.
    package func isNamed(_ words: [String]) -> Bool {
        let lowered = name.lowercased()
        return words.contains { lowered.contains($0) }
    }

    package func contains(_ node: some SyntaxProtocol) -> Bool {
        body.position.utf8Offset <= node.start && node.end <= body.endPosition.utf8Offset
    }
}

/// A call by name.
package struct CallInfo: Sendable {
    /// The last name: `set` of `UserDefaults.standard.set`.
    package let name: String
    /// The text before the name, without spaces: `UserDefaults.standard`.
    package let base: String
    package let node: FunctionCallExprSyntax

    /// Returns the argument with a label, or without one at a position.
    package func argument(_ label: String) -> ExprSyntax? {
        node.arguments.first { $0.label?.text == label }?.expression
    }

    package func argument(at index: Int) -> ExprSyntax? {
        node.arguments.dropFirst(index).first?.expression
    }

    /// All arguments as text.
    package var argumentText: String { node.arguments.trimmedDescription }
}
