import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let secrets: [Check] = [
        secretInDefaults, secretInDefaultsSubscript, secretInAppStorage, secretFromDefaults,
        secretFromDefaultsDictionary,
        secretInFile,
        hardCodedSecret, tokenInLiteral, largeBlob, secretLogging, weakFileProtection,
    ]

    // MARK: UserDefaults

    private static let secretInDefaults = calls("KC901") { call, file, report in
        guard ["set", "setValue"].contains(call.name), Migrations.isDefaults(call.base),
            let key = call.argument("forKey"), let value = call.argument(at: 0), !file.file.isTest,
            isSecret(key, value, file)
        else { return }
        report.report(call.node)
    }

    private static let secretInDefaultsSubscript = Check("KC901") { file, report in
        guard file.file.source.text.contains("efaults"), !file.file.isTest else { return }
        let finder = SubscriptFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found {
            guard let target = node.leftOperand.as(SubscriptCallExprSyntax.self),
                Migrations.isDefaults(target.calledExpression.trimmedDescription),
                let key = target.arguments.first?.expression,
                isSecret(key, node.rightOperand, file)
            else { continue }
            report.report(node)
        }
    }

    private static let secretInAppStorage = Check("KC901") { file, report in
        guard file.file.source.text.contains("AppStorage"), !file.file.isTest else { return }
        let finder = StorageFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found { report.report(node) }
    }

    /// Whether a key or its value has the name of a secret.
    private static func isSecret(_ key: ExprSyntax, _ value: ExprSyntax, _ file: FileAnalysis)
        -> Bool
    {
        let plain =
            value.is(BooleanLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
            || value.is(FloatLiteralExprSyntax.self) || value.is(NilLiteralExprSyntax.self)
        let text = value.trimmedDescription
        guard !plain, !text.contains("Date("), !text.hasPrefix("!"), !text.contains("=="),
            !["hash", "sha256", "seal", "encrypt"].contains(where: text.lowercased().contains)
        else { return false }
        if let name = key.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
            return SecretNames.isSecret(name.split(separator: ".").last.map(String.init) ?? name)
        }
        let name = HostNames.variable(key)
        return SecretNames.isSecret(name.hasSuffix("Key") ? String(name.dropLast(3)) : name)
            || value.is(DeclReferenceExprSyntax.self) && SecretNames.isSecret(text)
    }

    // MARK: Files

    private static let secretInFile = calls("KC902") { call, file, report in
        guard !file.file.isTest, let function = file.file.function(around: call.node) else {
            return
        }
        if call.name == "archiveRootObject", let value = call.argument(at: 0) {
            guard SecretNames.isSecret(HostNames.variable(value)) else { return }
            return report.report(call.node)
        }
        let (content, place) =
            call.name == "createFile"
            ? (call.argument("contents"), call.argument("atPath"))
            : (
                call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
                call.argument("to") ?? call.argument("toFile")
            )
        guard ["write", "createFile"].contains(call.name), let path = place, let base = content
        else { return }
        let origin = Provenance.text(of: base, in: function, file.file)
        let lowered = origin.lowercased()
        let isSealed = ["seal", "encrypt", "combined", "ciphertext", "cipher", "wrapped"]
            .contains(where: lowered.contains)
        let pathText = Provenance.text(of: path, in: function, file.file)
        let name = HostNames.variable(base)
        guard !isSealed, !isZero(origin),
            SecretNames.isSecret(name) || isSecretSource(origin) || isSecretFile(pathText)
                || EncodedSecrets.areEncoded(in: base, function, file.file)
        else { return }
        report.report(call.node)
    }

    private static func isZero(_ origin: String) -> Bool {
        origin.contains("Data(count:") || origin.contains("Data(repeating:")
    }

    /// Whether the origin is a secret, such as `encode(credentials)` or `"…".data` of a secret.
    private static func isSecretSource(_ origin: String) -> Bool {
        let keys = ["\"accessToken\"", "\"refreshToken\"", "\"password\"", "\"apiKey\""]
        if keys.contains(where: origin.contains), origin.contains("[\"") || origin.contains("\": ")
        {
            return true
        }
        guard let open = origin.range(ofText: "encode("),
            let close = origin[open.upperBound...].firstIndex(of: ")")
        else {
            let first = origin.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
            let name = first.split(separator: ".").first.map(String.init) ?? ""
            return !name.contains("(") && !name.contains(" ") && SecretNames.isSecret(name)
        }
        return SecretNames.isSecret(String(origin[open.upperBound..<close]))
    }

    private static func isSecretFile(_ text: String) -> Bool {
        let names = [
            "credentials.plist", "token.txt", "password.txt", "credentials.json", "tokens.json",
            "session.plist", "secrets.plist", "token.plist",
        ]
        return names.contains(where: text.lowercased().contains)
    }

    private static let weakFileProtection = calls("KC912") { call, file, report in
        let text = call.argumentText
        let isNone =
            text.contains(".noFileProtection") || text.contains("FileProtectionType.none")
            || text.contains("protectionKey: FileProtectionType.none")
        guard isNone, !file.file.isTest else { return }
        let base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base
        let name = base.map { HostNames.variable($0) } ?? ""
        guard let function = file.file.function(around: call.node) else { return }
        let origin = base.map { Provenance.text(of: $0, in: function, file.file) } ?? ""
        let words = [name, function.name] + text.split { !$0.isLetter }.map(String.init)
        guard
            words.contains(where: SecretNames.isSecret) || isSecretSource(origin)
                || isSecretFile(text)
        else { return }
        report.report(call.node)
    }

    // MARK: Literals

    private static let hardCodedSecret = Check("KC903") { file, report in
        guard !file.file.isTest else { return }
        for use in file.uses {
            let key = use.role == .importOptions ? "kSecImportExportPassphrase" : "kSecValueData"
            guard let entry = use.dictionary.certain(key), let text = entry.value.string,
                !Literals.isPlaceholder(text), !Literals.isMarker(text)
            else { continue }
            report.report(entry.node, subjects: use.subjects)
        }
        guard file.file.source.text.contains("kSecImportExportPassphrase") else { return }
        let known = Set(file.uses.flatMap { $0.dictionary.entries.values.map(\.node.start) })
        let finder = PassphraseFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found where !known.contains(node.start) {
            guard let text = node.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
                !Literals.isPlaceholder(text)
            else { continue }
            report.report(node)
        }
    }

    private static let tokenInLiteral = Check("KC903") { file, report in
        let starts = [
            "sk_live_", "rk_live_", "AKIA", "ghp_", "gho_", "xoxb-", "xoxp-", "AIza",
            "PRIVATE KEY-----", "glpat-",
        ]
        let text = file.file.source.text
        guard !file.file.isTest, starts.contains(where: text.contains) else { return }
        let finder = LiteralFinder(viewMode: .sourceAccurate)
        finder.walk(file.file.tree)
        for node in finder.found where Literals.isToken(node.segments.description) {
            report.report(
                node,
                "This literal has the form of a secret.",
                severity: .error
            )
        }
    }

    private static let largeBlob = uses("KC904") { use, file, report in
        guard use.isAdd || use.role == .updateValues,
            let entry = use.dictionary.certain("kSecValueData")
        else { return }
        if let text = entry.value.string, text.utf8.count > 4096 {
            return report.report(entry.node, "The value has \(text.utf8.count) bytes.")
        }
        guard let expression = entry.expression else { return }
        let origin = Provenance.text(of: expression, in: use.function, file.file)
        let sources = [
            "pngData()", "jpegData(", "UIImagePNGRepresentation", "UIImageJPEGRepresentation",
            "Data(contentsOf:", "dataRepresentation()!", "NSData(contentsOf",
        ]
        guard let source = sources.first(where: origin.contains),
            !origin.contains(".seal("), !isSmallFile(origin), !use.function.isMigration
        else { return }
        report.report(entry.node, "The value comes from \(source)…), which can be large.")
    }

    private static func isSmallFile(_ origin: String) -> Bool {
        let lowered = origin.lowercased()
        return lowered.contains("archive") || lowered.contains("legacy") || lowered.contains("key")
    }

    // MARK: Logs

    private static let secretLogging = calls("KC905") { call, file, report in
        guard Logs.isLog(call), !file.file.isTest, !["assert", "fatalError"].contains(call.name)
        else { return }
        let isLogger = !call.base.isEmpty || call.name == "os_log"
        // Only a logger supports private values.
        let advice = isLogger ? nil : "Leave it out: \(call.name) cannot mark it private."
        for argument in call.node.arguments {
            for name in Self.logged(argument.expression, isLogger: isLogger) {
                let what = "`\(name)` goes to the log."
                report.report(argument.expression, what, advice: advice)
                return
            }
        }
        if let found = LoggedDictionary.secret(in: call, isLogger: isLogger, file.file) {
            report.report(
                found.argument,
                "A dictionary with `\(found.key)` goes to the log.",
                advice: advice,
                related: [(found.entry, "The secret enters the dictionary here.")]
            )
            return
        }
        guard call.name == "os_log" || call.name == "NSLog",
            call.argumentText.contains("%{public}") || call.name == "NSLog"
        else { return }
        for argument in call.node.arguments.dropFirst() {
            guard let name = plainName(argument.expression), SecretNames.isSecret(name) else {
                continue
            }
            let what = "`\(name)` goes to the log."
            return report.report(argument.expression, what, advice: advice)
        }
    }

    /// Returns the names of secrets that an argument writes in plain text.
    private static func logged(_ argument: ExprSyntax, isLogger: Bool) -> [String] {
        if let literal = argument.as(StringLiteralExprSyntax.self) {
            return literal.segments.compactMap { segment in
                guard let part = segment.as(ExpressionSegmentSyntax.self),
                    let first = part.expressions.first?.expression,
                    let name = plainName(first), SecretNames.isSecret(name)
                else { return nil }
                let privacy = part.expressions.first { $0.label?.text == "privacy" }?
                    .expression.trimmedDescription
                if isLogger { return privacy == ".public" ? name : nil }
                return name
            }
        }
        guard !isLogger, let name = plainName(argument), SecretNames.isSecret(name) else {
            return []
        }
        return [name]
    }

    /// Returns the last name of `session.token`; nil for a call or `token.count`.
    private static func plainName(_ expression: ExprSyntax) -> String? {
        var inner = expression
        if let node = inner.as(InfixOperatorExprSyntax.self),
            node.operator.trimmedDescription == "??"
        {
            inner = node.leftOperand
        }
        if let node = inner.as(ForceUnwrapExprSyntax.self) { inner = node.expression }
        if let node = inner.as(DeclReferenceExprSyntax.self) { return node.baseName.text }
        return inner.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}

/// Tests of texts in code.
enum Literals {
    static func isPlaceholder(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return text.isEmpty || text.hasPrefix("YOUR_") || text.hasPrefix("<") || lowered == "test"
            || lowered.contains("placeholder") || lowered.contains("your-")
            || lowered.contains("xxxx")
            || text.hasPrefix("$(")
    }

    /// Whether a value only marks something as done.
    static func isMarker(_ text: String) -> Bool {
        text.count < 4 || ["true", "false", "done", "probe", "marker", "installed"].contains(text)
    }

    /// Whether a text has the form of a token that some service issues.
    static func isToken(_ text: String) -> Bool {
        if text.contains("-----BEGIN") && text.contains("PRIVATE KEY-----") {
            return text.count > 60
        }
        let forms: [(start: String, length: Int)] = [
            ("sk_live_", 16), ("rk_live_", 16), ("AKIA", 20), ("ghp_", 30), ("gho_", 30),
            ("xoxb-", 20), ("xoxp-", 20), ("AIza", 35), ("glpat-", 20),
        ]
        return forms.contains { form in
            text.hasPrefix(form.start) && text.count >= form.length
                && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        }
    }
}

/// Finds text literals.
final class LiteralFinder: SyntaxVisitor {
    private(set) var found: [StringLiteralExprSyntax] = []

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        found.append(node)
        return .visitChildren
    }
}

/// Finds entries with a passphrase.
private final class PassphraseFinder: SyntaxVisitor {
    private(set) var found: [DictionaryElementSyntax] = []

    override func visit(_ node: DictionaryElementSyntax) -> SyntaxVisitorContinueKind {
        if node.key.trimmedDescription.contains("kSecImportExportPassphrase") { found.append(node) }
        return .visitChildren
    }
}

/// Finds `name[…] = value`.
private final class SubscriptFinder: SyntaxVisitor {
    private(set) var found: [InfixOperatorExprSyntax] = []

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self),
            node.leftOperand.is(SubscriptCallExprSyntax.self)
        {
            found.append(node)
        }
        return .visitChildren
    }
}

/// Finds `@AppStorage("…")` properties with the name of a secret.
private final class StorageFinder: SyntaxVisitor {
    private(set) var found: [AttributeSyntax] = []

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for attribute in node.attributes {
            guard let attribute = attribute.as(AttributeSyntax.self),
                attribute.attributeName.trimmedDescription == "AppStorage",
                let arguments = attribute.arguments?.as(LabeledExprListSyntax.self),
                let first = arguments.first?.expression,
                let binding = node.bindings.first
            else { continue }
            let type = binding.typeAnnotation?.type.trimmedDescription ?? ""
            let initial = binding.initializer?.value
            let isPlain =
                ["Bool", "Int", "Double"].contains(type.filter { $0 != "?" })
                || initial?.is(BooleanLiteralExprSyntax.self) == true
                || initial?.is(IntegerLiteralExprSyntax.self) == true
            let key = first.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            let name = binding.pattern.trimmedDescription
            if !isPlain, SecretNames.isSecret(key ?? name) { found.append(attribute) }
        }
        return .visitChildren
    }
}

extension String {
    func range(ofText text: String) -> Range<Index>? {
        guard !text.isEmpty else { return nil }
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
