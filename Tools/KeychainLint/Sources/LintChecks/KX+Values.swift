import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    /// Rules about random values, comparisons and the Secure Enclave.
    ///
    /// They depend on the origin of a value.
    static let values: [Check] = [weakRandom, variableTimeCompare, enclaveWithoutSimulator]

    // MARK: Random values

    private static let weakRandom = calls("KX06") { call, file, report in
        guard !file.file.isTest, let generator = WeakGenerator(call, file) else { return }
        let function = file.file.function(around: call.node)
        let binding = call.node.firstAncestor(PatternBindingSyntax.self)
        let name = binding?.pattern.trimmedDescription ?? ""
        guard
            RandomSecrets.isSecret(name)
                || !RandomSecrets.isHarmless(name)
                    && function.map(RandomSecrets.isMade(by:)) ?? false
        else { return }
        report.report(call.node, generator.reason)
    }

    // MARK: Comparisons

    private static let variableTimeCompare = Check("KX10") { file, report in
        guard !file.file.isTest else { return }
        for sign in ["==", "!="] {
            let finder = OperatorFinder(sign)
            finder.walk(file.file.tree)
            for node in finder.found
            where Comparison(node.leftOperand, node.rightOperand, file).isOfSecrets {
                report.report(node)
            }
        }
        for call in file.file.calls {
            let sides: [ExprSyntax?]
            switch call.name {
            case "memcmp": sides = [call.argument(at: 0), call.argument(at: 1)]
            case "elementsEqual":
                let base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base
                sides = [base, call.argument(at: 0)]
            default: continue
            }
            guard let left = sides[0], let right = sides[1],
                Comparison(left, right, file).isOfSecrets
            else { continue }
            report.report(call.node, "The time of \(call.name) tells how many bytes agree.")
        }
    }

    // MARK: Secure Enclave

    private static let enclaveWithoutSimulator = calls("KX11") { call, file, report in
        guard (call.base + "." + call.name).contains("SecureEnclave."),
            call.name == "PrivateKey", call.argument("dataRepresentation") == nil,
            !file.file.isTest,
            !Platform.isMacOS(Syntax(call.node), file.file, report.configuration),
            !file.file.source.text.contains("targetEnvironment(simulator)"),
            !isCaught(call), !report.facts.mentions("SecureEnclave.isAvailable")
        else { return }
        report.report(call.node)
    }

    /// Whether the code around a call handles its error.
    private static func isCaught(_ call: CallInfo) -> Bool {
        if call.node.firstAncestor(TryExprSyntax.self)?.questionOrExclamationMark?.text == "?" {
            return true
        }
        guard let attempt = call.node.firstAncestor(DoStmtSyntax.self) else { return false }
        return attempt.body.span.contains(call.node.start) && !attempt.catchClauses.isEmpty
    }
}

/// A generator of predictable numbers.
private struct WeakGenerator {
    /// The reason why it must not make secrets; nil for the reason of the rule.
    let reason: String?

    private static let functions: Set<String> = [
        "rand", "rand_r", "drand48", "lrand48", "mrand48", "erand48", "srand", "arc4random",
        "arc4random_uniform",
    ]
    private static let gameMethods: Set<String> = ["nextInt", "nextUniform", "nextBool"]

    init?(_ call: CallInfo, _ file: FileAnalysis) {
        if call.base.isEmpty {
            let isLibc = call.name == "random" && call.node.arguments.isEmpty
            guard Self.functions.contains(call.name) || isLibc else { return nil }
            reason = nil
            return
        }
        if Self.gameMethods.contains(call.name) {
            let base = call.node.calledExpression.as(MemberAccessExprSyntax.self)?.base
            guard let base, Self.origin(base, file).contains("GK") else { return nil }
            reason = "GameplayKit makes numbers for games."
            return
        }
        // Without `using:`, these use the generator of the system, which is suitable for secrets.
        guard ["random", "randomElement", "shuffled"].contains(call.name),
            let generator = call.argument("using"), Self.isSeeded(generator, file)
        else { return nil }
        reason =
            "`\(generator.trimmedDescription.filter { $0 != "&" })` can be predicted from "
            + "its seed."
    }

    /// Whether a generator is certainly not that of the system: one of GameplayKit, or with a seed.
    private static func isSeeded(_ generator: ExprSyntax, _ file: FileAnalysis) -> Bool {
        let text = origin(generator, file)
        guard !text.contains("SystemRandomNumberGenerator") else { return false }
        return text.contains("GK") || text.lowercased().contains("seed")
    }

    private static func origin(_ node: ExprSyntax, _ file: FileAnalysis) -> String {
        guard let function = file.file.function(around: node) else {
            return node.trimmedDescription
        }
        return Provenance.text(of: node, in: function, file.file)
    }
}

/// Names of values that have to be unpredictable.
private enum RandomSecrets {
    private static let words: Set<String> = [
        "token", "nonce", "salt", "password", "passphrase", "secret", "otp", "verifier", "iv",
        "challenge", "csrf",
    ]
    /// Words that can accompany "key" in the name of a cryptographic key.
    private static let besideKey: Set<String> = [
        "make", "generate", "create", "new", "random", "secret", "private", "master", "symmetric",
        "encryption", "session", "signing", "api", "aes", "wrapping", "database", "raw", "data",
        "bytes", "byte", "material", "string", "hex", "file", "content", "vault", "access",
    ]
    private static let harmless: Set<String> = [
        "delay", "jitter", "backoff", "interval", "duration", "timeout", "offset", "color",
        "frame", "angle", "position", "animation", "sample", "cache", "view", "row", "count",
    ]

    static func isSecret(_ name: String) -> Bool {
        let parts = SecretNames.parts(of: name)
        guard !isHarmless(name) else { return false }
        if parts.contains(where: words.contains) { return true }
        return parts.contains("key") && parts.allSatisfy { $0 == "key" || besideKey.contains($0) }
    }

    static func isHarmless(_ name: String) -> Bool {
        SecretNames.parts(of: name).contains(where: harmless.contains)
    }

    /// Whether a function has the name of a secret that it returns.
    static func isMade(by function: FunctionInfo) -> Bool {
        guard let type = function.returnType, !["Double", "CGFloat", "Void", "Bool"].contains(type)
        else { return false }
        return isSecret(function.name)
    }
}

/// A comparison of two values that may be authentication codes or hashes of passwords.
private struct Comparison {
    private let sides: [ExprSyntax]
    private let file: FileAnalysis

    init(_ left: ExprSyntax, _ right: ExprSyntax, _ file: FileAnalysis) {
        sides = [left, right]
        self.file = file
    }

    var isOfSecrets: Bool {
        guard sides.allSatisfy({ isComparable($0) }) else { return false }
        let codes = sides.map { Code($0, file) }
        // The `==` of CryptoKit's own type takes the same time for all values.
        if codes.contains(.constantTime) { return false }
        if codes.contains(.bytes) { return true }
        let names = sides.map { SecretNames.parts(of: HostNames.variable($0)) }
        if names.allSatisfy(isPasswordHash) { return true }
        // "tag" alone is also a word for labels.
        guard names.contains(where: { $0 != ["tag"] }) else { return false }
        let text = file.file.source.text
        return names.allSatisfy(isCode) && (text.contains("HMAC") || text.contains("hmac"))
    }

    /// Whether a side is a value of bytes or text, and not a count, nil or a literal.
    private func isComparable(_ side: ExprSyntax) -> Bool {
        if side.is(NilLiteralExprSyntax.self) || side.is(IntegerLiteralExprSyntax.self)
            || side.is(StringLiteralExprSyntax.self) || side.is(BooleanLiteralExprSyntax.self)
        {
            return false
        }
        let member = side.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
        return !["count", "isEmpty", "endIndex", "first", "last", "byteCount"].contains(member)
    }

    private func isPasswordHash(_ parts: [String]) -> Bool {
        parts.contains("hash") && (parts.contains("password") || parts.contains("pin"))
    }

    private func isCode(_ parts: [String]) -> Bool {
        let names = [
            "mac", "hmac", "signature", "authcode", "authenticationcode", "tag", "expectedmac",
            "computedmac", "expectedhmac",
        ]
        return parts.contains(where: names.contains) || names.contains(parts.joined())
    }
}

/// The form in which an expression contains a computed authentication code.
private enum Code {
    case none
    /// A value of CryptoKit's type.
    case constantTime
    /// The bytes of the code, or a text of them.
    case bytes

    private static let conversions: Set<String> = [
        "Data", "Array", "String", "map", "compactMap", "joined", "base64EncodedString", "prefix",
        "lowercased", "uppercased", "withUnsafeBytes", "hexString", "hexEncodedString",
    ]

    init(_ side: ExprSyntax, _ file: FileAnalysis) {
        self = .none
        guard let function = file.file.function(around: side) else { return }
        let end = Self.initial(of: side, in: function)
        let origin = Provenance.text(of: side, in: function, file.file)
        if let name = side.as(DeclReferenceExprSyntax.self)?.baseName.text,
            let parameter = function.parameters.first(where: { $0.name == name })
        {
            let isCode = ["AuthenticationCode", ".MAC"].contains(where: parameter.type.hasSuffix)
            if isCode { self = .constantTime }
            return
        }
        let call = end.as(FunctionCallExprSyntax.self)
        let name = call?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        if name == "authenticationCode" || name == "finalize" && origin.contains("HMAC<") {
            self = .constantTime
            return
        }
        let isComputed =
            origin.contains("authenticationCode(for")
            || Self.outputs(of: "CCHmac", in: function, file).contains {
                SecretNames.words(in: origin).contains($0[...])
            }
        guard isComputed else { return }
        let called = name ?? call?.calledExpression.trimmedDescription ?? ""
        let isConverted = Self.conversions.contains(called) || called.hasPrefix("[UInt8]")
        let isBuffer = call == nil || called == "Data" || called.hasPrefix("[UInt8]")
        if isConverted || isBuffer { self = .bytes }
    }

    /// Returns the initial value of a variable.
    private static func initial(of side: ExprSyntax, in function: FunctionInfo) -> ExprSyntax {
        var end = side
        for _ in 0..<3 {
            guard let name = end.as(DeclReferenceExprSyntax.self)?.baseName.text else { break }
            let finder = InitialValueFinder(name, before: end.start)
            finder.walk(function.body)
            guard let value = finder.value else { break }
            end = value
        }
        return end
    }

    /// Returns the variables for the result of a C function, which are in the last argument.
    private static func outputs(
        of name: String,
        in function: FunctionInfo,
        _ file: FileAnalysis
    ) -> [String] {
        file.file.calls.filter { $0.name == name && function.contains($0.node) }.compactMap {
            call in
            guard let last = call.node.arguments.last?.expression else { return nil }
            let text = last.trimmedDescription.filter { $0.isLetter || $0.isNumber || $0 == "_" }
            return text.isEmpty ? nil : text
        }
    }
}

extension SecretNames {
    /// Returns the names in a text of code.
    fileprivate static func words(in text: String) -> Set<Substring> {
        Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    }
}
