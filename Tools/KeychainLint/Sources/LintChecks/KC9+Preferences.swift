import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    /// The check for a secret that the app reads from the user's defaults, even if it writes none.
    ///
    /// A read that moves the secret out of the defaults does not count.
    static let secretFromDefaults = calls("KC901") { call, file, report in
        let names = ["string", "data", "object", "value"]
        guard names.contains(call.name), let key = call.argument("forKey"), !file.file.isTest,
            let function = file.file.function(around: call.node) ?? file.file.functions.first,
            isSecretKey(key, in: function, file.file),
            Migrations.isDefaults(call, in: function, file.file),
            isInProperty(call.node) || !moves(function, file), !isGone(key, file)
        else { return }
        report.report(call.node, fromDefaults)
    }

    private static let fromDefaults = "The secret is read from UserDefaults."

    /// The check for a secret that is read from `defaults.dictionaryRepresentation()` by its key.
    static let secretFromDefaultsDictionary = Check("KC901") { file, report in
        let sources = ["dictionaryRepresentation()", "persistentDomain("]
        guard sources.contains(where: file.file.source.text.contains), !file.file.isTest else {
            return
        }
        let finder = EntryFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found {
            guard let key = node.arguments.first?.expression,
                let function = file.file.function(around: node), !moves(function, file),
                isSecretKey(key, in: function, file.file)
            else { continue }
            let origin = Provenance.text(of: node.calledExpression, in: function, file.file)
            guard sources.contains(where: origin.contains) else { continue }
            report.report(node, fromDefaults)
        }
    }

    /// Whether code is in the initial value of a property, and in no function.
    private static func isInProperty(_ node: FunctionCallExprSyntax) -> Bool {
        node.firstAncestor(InitializerClauseSyntax.self)?.firstAncestor(VariableDeclSyntax.self)?
            .parent?.is(MemberBlockItemSyntax.self) == true
    }

    private static func isSecretKey(
        _ key: ExprSyntax,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> Bool {
        // For `Keys.clientSecret.rawValue`, the name of the case counts.
        if let member = key.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "rawValue",
            let choice = member.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            SecretNames.isSecret(choice)
        {
            return true
        }
        let texts = [key] + Provenance.values(of: key, in: function, file)
        for text in texts.compactMap({
            $0.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }) {
            let last = text.split(separator: ".").last.map(String.init) ?? text
            if SecretNames.isSecret(last) { return true }
        }
        return false
    }

    /// Whether a function stores the value in the keychain, or has the name of such a move.
    private static func moves(_ function: FunctionInfo, _ file: FileAnalysis) -> Bool {
        let words = ["migrat", "legacy", "import", "upgrade", "move", "old"]
        let name = (function.name + (function.typeName ?? "")).lowercased()
        if words.contains(where: name.contains) || function.isTopLevel { return true }
        if function.text.contains("SecItem") { return true }
        return file.file.calls.contains {
            function.contains($0.node) && Wrappers.isWrite($0, Configuration())
        }
    }

    /// Whether the file removes the entry somewhere.
    private static func isGone(_ key: ExprSyntax, _ file: FileAnalysis) -> Bool {
        file.file.calls.contains {
            $0.name == "removeObject"
                && $0.argument("forKey")?.trimmedDescription == key.trimmedDescription
        }
    }
}

/// Finds entries that code reads from dictionaries.
private final class EntryFinder: SyntaxVisitor {
    private(set) var found: [SubscriptCallExprSyntax] = []

    override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind {
        found.append(node)
        return .visitChildren
    }
}

extension Provenance {
    /// Returns the values of the variable or constant that an expression names.
    static func values(
        of expression: ExprSyntax,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> [ExprSyntax] {
        let name =
            expression.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        guard let name else { return [] }
        let finder = InitialValueFinder(name, before: expression.start)
        finder.walk(function.body)
        if let value = finder.value { return [value] }
        return file.constants.filter { $0.name == name || $0.name.hasSuffix("." + name) }
            .map(\.value)
    }
}

/// Values with secrets among their properties that are written to a file.
enum EncodedSecrets {
    /// Whether bytes come from `encode(value)`, and the value's type has a secret.
    static func areEncoded(
        in expression: ExprSyntax,
        _ function: FunctionInfo,
        _ file: ParsedFile
    ) -> Bool {
        let sources = [expression] + Provenance.values(of: expression, in: function, file)
        for source in sources {
            let finder = EncodeFinder(viewMode: .sourceAccurate)
            finder.walk(source)
            for argument in finder.found where isSecret(argument, function, file) { return true }
        }
        return false
    }

    private static func isSecret(
        _ value: ExprSyntax,
        _ function: FunctionInfo,
        _ file: ParsedFile
    ) -> Bool {
        if SecretNames.isSecret(HostNames.variable(value)) { return true }
        var types = ValueTypes.text(of: value, in: function, file).split(separator: "\n")
            .map(String.init)
        if value.trimmedDescription == "self", let own = function.typeName { types.append(own) }
        return types.contains { type in
            let name = type.split(separator: "(").first.map(String.init) ?? type
            return ValueTypes.properties(of: name, in: file).contains(where: SecretNames.isSecret)
        }
    }

    private final class EncodeFinder: SyntaxVisitor {
        private(set) var found: [ExprSyntax] = []

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            if let call = CallInfo(node), ["encode", "archivedData"].contains(call.name),
                let argument = call.argument(at: 0) ?? call.argument("withRootObject")
            {
                found.append(argument)
            }
            return .visitChildren
        }
    }
}
