import LintModel
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A source file as a tree, with lists of what it declares.
public struct ParsedFile: Sendable {
    public let source: SourceText
    public let tree: SourceFileSyntax
    public let target: Target?
    public let imports: [Import]
    public let types: [TypeInfo]
    public let functions: [FunctionInfo]
    /// Constants with an initial value: global ones by name, members as `Type.name`.
    public let constants: [Constant]
    public let calls: [CallInfo]
    public let suppressions: [Suppression]
    public let invalidSuppressions: [Int]
    /// Whether it tests something: expectations there are no mistakes.
    public let isTest: Bool

    public struct Import: Sendable {
        public let module: String
        public let node: ImportDeclSyntax
    }

    /// A `let` or `var` outside functions.
    public struct Constant: Sendable {
        public let name: String
        public let value: ExprSyntax
        public let isConstant: Bool
    }

    public init(source: SourceText, target: Target?) {
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
        (suppressions, invalidSuppressions) = source.suppressions()
        let modules = Set(reader.imports.map(\.module))
        let folders = source.path.split(separator: "/").dropLast()
        isTest =
            !modules.isDisjoint(with: ["XCTest", "Testing", "Quick"]) || target?.kind == .test
            || folders.contains { $0.hasSuffix("Tests") || $0 == "Test" || $0.hasSuffix("Mocks") }
            || source.path.hasSuffix("Tests.swift")
            || reader.functions.contains { $0.attributes.contains { $0.hasPrefix("@Test") } }
    }

    public func imports(_ modules: String...) -> Bool {
        imports.contains { modules.contains($0.module) }
    }

    public func place(_ node: some SyntaxProtocol) -> Place { source.place(node.span) }

    /// The function that contains a node, the innermost one.
    public func function(around node: some SyntaxProtocol) -> FunctionInfo? {
        functions.filter { $0.node.start <= node.start && node.end <= $0.node.end && !$0.isTopLevel }
            .max { $0.node.start < $1.node.start } ?? functions.first(where: \.isTopLevel)
    }
}

/// A type, or an extension of one.
public struct TypeInfo: Sendable {
    public let name: String
    public let keyword: String
    public let inherited: [String]
    public let attributes: [String]
    public let node: Syntax
    /// Stored properties that can change.
    public let variables: [String]
}

/// Code that runs as one: a function, an initializer, an accessor, or the statements of a file.
public struct FunctionInfo: Sendable {
    public let name: String
    public let typeName: String?
    /// The types that the enclosing type says it inherits or conforms to.
    public let inherited: [String]
    /// Attributes of the function and of its type.
    public let attributes: [String]
    public let parameters: [Parameter]
    public let returnType: String?
    public let node: Syntax
    public let body: CodeBlockItemListSyntax
    public let isTopLevel: Bool
    /// Whether it is a computed property.
    public let isProperty: Bool

    public struct Parameter: Sendable {
        public let label: String?
        public let name: String
        public let type: String
    }

    public var id: Int { body.position.utf8Offset }

    /// The body as text, without comments.
    public let text: String

    /// Whether its name contains one of some words, in any case.
    public func isNamed(_ words: [String]) -> Bool {
        let lowered = name.lowercased()
        return words.contains { lowered.contains($0) }
    }

    public func contains(_ node: some SyntaxProtocol) -> Bool {
        body.position.utf8Offset <= node.start && node.end <= body.endPosition.utf8Offset
    }
}

/// A call of something by name.
public struct CallInfo: Sendable {
    /// The last name: `set` of `UserDefaults.standard.set`.
    public let name: String
    /// What stands before it, without spaces: `UserDefaults.standard`.
    public let base: String
    public let node: FunctionCallExprSyntax

    /// The argument with a label, or without one at a position.
    public func argument(_ label: String) -> ExprSyntax? {
        node.arguments.first { $0.label?.text == label }?.expression
    }

    public func argument(at index: Int) -> ExprSyntax? {
        node.arguments.dropFirst(index).first?.expression
    }

    /// All arguments as text.
    public var argumentText: String { node.arguments.trimmedDescription }
}
