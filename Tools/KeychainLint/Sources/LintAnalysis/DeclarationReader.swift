import SwiftSyntax

/// Collects the declarations and calls of a file in one walk.
final class DeclarationReader: SyntaxVisitor {
    private(set) var imports: [ParsedFile.Import] = []
    private(set) var types: [TypeInfo] = []
    private(set) var functions: [FunctionInfo] = []
    private(set) var constants: [ParsedFile.Constant] = []
    private(set) var calls: [CallInfo] = []
    private var open: [TypeInfo] = []
    private var depth = 0

    init(_ tree: SourceFileSyntax) {
        super.init(viewMode: .sourceAccurate)
        let top = FunctionInfo(
            name: "",
            typeName: nil,
            inherited: [],
            attributes: [],
            parameters: [],
            returnType: nil,
            node: Syntax(tree),
            body: tree.statements,
            isTopLevel: true,
            isProperty: false,
            text: ""
        )
        functions.append(top)
        walk(tree)
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        imports.append(.init(module: node.path.first?.name.text ?? "", node: node))
        return .skipChildren
    }

    // MARK: Types

    private func enter(
        _ name: String,
        _ keyword: String,
        _ inheritance: InheritanceClauseSyntax?,
        _ attributes: AttributeListSyntax,
        _ members: MemberBlockSyntax,
        _ node: Syntax
    ) -> SyntaxVisitorContinueKind {
        let type = TypeInfo(
            name: name,
            keyword: keyword,
            inherited: inheritance?.inheritedTypes.map { $0.type.trimmedDescription } ?? [],
            attributes: attributes.map { $0.trimmedDescription },
            node: node,
            variables: Self.variables(in: members)
        )
        types.append(type)
        open.append(type)
        return .visitChildren
    }

    private static func variables(in members: MemberBlockSyntax) -> [String] {
        members.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter { variable in
                variable.bindingSpecifier.text == "var"
                    && variable.bindings.allSatisfy { $0.accessorBlock == nil }
            }
            .flatMap { $0.bindings.map { $0.pattern.trimmedDescription } }
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node.name.text,
            "class",
            node.inheritanceClause,
            node.attributes,
            node.memberBlock,
            Syntax(node)
        )
    }
    override func visitPost(_ node: ClassDeclSyntax) { open.removeLast() }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node.name.text,
            "struct",
            node.inheritanceClause,
            node.attributes,
            node.memberBlock,
            Syntax(node)
        )
    }
    override func visitPost(_ node: StructDeclSyntax) { open.removeLast() }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node.name.text,
            "enum",
            node.inheritanceClause,
            node.attributes,
            node.memberBlock,
            Syntax(node)
        )
    }
    override func visitPost(_ node: EnumDeclSyntax) { open.removeLast() }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            node.name.text,
            "actor",
            node.inheritanceClause,
            node.attributes,
            node.memberBlock,
            Syntax(node)
        )
    }
    override func visitPost(_ node: ActorDeclSyntax) { open.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(
            Self.lastName(of: node.extendedType.trimmedDescription),
            "extension",
            node.inheritanceClause,
            node.attributes,
            node.memberBlock,
            Syntax(node)
        )
    }

    /// Returns the last name: an extension of `Vault.Store` belongs to `Store` inside of `Vault`.
    private static func lastName(of type: String) -> String {
        guard !type.contains("<"), let last = type.split(separator: ".").last else { return type }
        return String(last)
    }

    override func visitPost(_ node: ExtensionDeclSyntax) { open.removeLast() }

    // MARK: Functions

    private func add(
        _ name: String,
        _ node: Syntax,
        _ body: CodeBlockItemListSyntax,
        attributes: AttributeListSyntax?,
        signature: FunctionSignatureSyntax? = nil,
        returns: String? = nil,
        isProperty: Bool = false
    ) {
        let own = attributes?.map { $0.trimmedDescription } ?? []
        let parameters = signature?.parameterClause.parameters.map {
            FunctionInfo.Parameter(
                label: $0.firstName.text == "_" ? nil : $0.firstName.text,
                name: ($0.secondName ?? $0.firstName).text,
                type: $0.type.trimmedDescription
            )
        }
        let info = FunctionInfo(
            name: name,
            typeName: open.last?.name,
            inherited: open.flatMap(\.inherited),
            attributes: own + (open.last?.attributes ?? []),
            parameters: parameters ?? [],
            returnType: returns ?? signature?.returnClause?.type.trimmedDescription,
            node: node,
            body: body,
            isTopLevel: false,
            isProperty: isProperty,
            text: body.tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ")
        )
        functions.append(info)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let body = node.body else { return .skipChildren }
        add(
            node.name.plainName,
            Syntax(node),
            body.statements,
            attributes: node.attributes,
            signature: node.signature
        )
        depth += 1
        return .visitChildren
    }
    override func visitPost(_ node: FunctionDeclSyntax) { if node.body != nil { depth -= 1 } }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let body = node.body else { return .skipChildren }
        add(
            "init",
            Syntax(node),
            body.statements,
            attributes: node.attributes,
            signature: node.signature
        )
        depth += 1
        return .visitChildren
    }
    override func visitPost(_ node: InitializerDeclSyntax) { if node.body != nil { depth -= 1 } }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body {
            add("deinit", Syntax(node), body.statements, attributes: node.attributes)
        }
        depth += 1
        return .visitChildren
    }
    override func visitPost(_ node: DeinitializerDeclSyntax) { depth -= 1 }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        accessors(of: "subscript", node.accessorBlock, Syntax(node), nil)
        depth += 1
        return .visitChildren
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { depth -= 1 }

    private func accessors(
        of name: String,
        _ block: AccessorBlockSyntax?,
        _ node: Syntax,
        _ type: String?
    ) {
        switch block?.accessors {
        case .getter(let body):
            add(name, node, body, attributes: nil, returns: type, isProperty: true)
        case .accessors(let list):
            for accessor in list {
                guard let body = accessor.body?.statements else { continue }
                let isGetter = accessor.accessorSpecifier.text == "get"
                add(
                    isGetter ? name : "\(name).\(accessor.accessorSpecifier.text)",
                    Syntax(accessor),
                    body,
                    attributes: nil,
                    returns: isGetter ? type : nil,
                    isProperty: isGetter
                )
            }
        default: break
        }
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        defer { depth += 1 }
        guard depth == 0 else { return .visitChildren }
        let isMember = !open.isEmpty
        for binding in node.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else {
                continue
            }
            let type = binding.typeAnnotation?.type.trimmedDescription
            accessors(of: name, binding.accessorBlock, Syntax(node), type)
            if let value = binding.initializer?.value {
                let owner = open.last.map { $0.name + "." } ?? ""
                let isConstant = node.bindingSpecifier.text == "let"
                let words = node.modifiers.map(\.name.text)
                constants.append(
                    .init(
                        name: owner + name,
                        value: value,
                        isConstant: isConstant,
                        isPrivate: words.contains("private") || words.contains("fileprivate")
                    )
                )
                closure(of: name, value, isMember)
            }
        }
        return .visitChildren
    }
    override func visitPost(_ node: VariableDeclSyntax) { depth -= 1 }

    /// Reads the body of `lazy var query: … = { … }()`.
    private func closure(of name: String, _ value: ExprSyntax, _ isMember: Bool) {
        guard isMember, let call = value.as(FunctionCallExprSyntax.self),
            let closure = call.calledExpression.as(ClosureExprSyntax.self)
        else { return }
        add(name, Syntax(call), closure.statements, attributes: nil, isProperty: true)
    }

    // MARK: Calls

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let call = CallInfo(node) { calls.append(call) }
        return .visitChildren
    }
}

extension CallInfo {
    /// Reads the call of a name; nil for the call of another expression.
    package init?(_ node: FunctionCallExprSyntax) {
        var callee = node.calledExpression
        while let tuple = callee.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let element = tuple.elements.first, element.label == nil
        {
            callee = element.expression
        }
        if let generic = callee.as(GenericSpecializationExprSyntax.self) {
            callee = generic.expression
        }
        if let optional = callee.as(OptionalChainingExprSyntax.self) {
            callee = optional.expression
        }
        if let name = callee.as(DeclReferenceExprSyntax.self) {
            self.init(name: name.baseName.plainName, base: "", node: node)
        } else if let member = callee.as(MemberAccessExprSyntax.self) {
            let base = member.base.map(Self.text) ?? ""
            self.init(name: member.declName.baseName.plainName, base: base, node: node)
        } else {
            return nil
        }
    }

    /// Returns a base without spaces; if it is long, it is not a name but a chain of calls.
    private static func text(of base: ExprSyntax) -> String {
        guard base.totalLength.utf8Length <= 1_000 else { return "…" }
        return base.trimmedDescription.filter { !$0.isWhitespace && $0 != "`" }
    }
}

extension TokenSyntax {
    /// The name without the backticks that turn any word into a name.
    var plainName: String {
        text.hasPrefix("`") && text.hasSuffix("`") && text.utf8.count > 2
            ? String(text.dropFirst().dropLast()) : text
    }
}
