import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let cryptography: [Check] = [
        explicitNonce, brokenHash, rawSharedSecret, passwordAsKey, lowIterations, legacyCipher,
        shortKey, manualSealedBox, enclaveImport, enclaveSymmetric, enclaveBlob,
        lostEncapsulatedKey, availabilityFloor, rsaForNewCode,
    ]

    private static func origin(_ node: some SyntaxProtocol, _ file: FileAnalysis) -> String {
        guard let function = file.file.function(around: node) else {
            return node.trimmedDescription
        }
        return Provenance.text(of: node, in: function, file.file)
    }

    private static let explicitNonce = calls("KX01") { call, file, report in
        guard call.name == "seal", let nonce = call.argument("nonce") else { return }
        let text = origin(nonce, file)
        guard !text.contains("SecRandomCopyBytes"), !isFresh(text) else { return }
        let isFixed =
            text.contains("repeating:") || text.contains("count:") || text.contains("\"")
            || text.contains("counter") || text.contains("[0")
        report.report(nonce, severity: isFixed ? .error : .warning)
    }

    /// Whether the text makes a random nonce, as `AES.GCM.Nonce()` does.
    private static func isFresh(_ text: String) -> Bool {
        let compact = text.filter { !$0.isWhitespace }
        return compact.contains("Nonce()")
    }

    private static let brokenHash = Check("KX02") { file, report in
        let text = file.file.source.text
        guard text.contains("Insecure.") || text.contains("CC_MD5") || text.contains("CC_SHA1")
        else { return }
        for call in file.file.calls {
            let isOld = ["CC_MD5", "CC_SHA1", "CC_MD5_Init", "CC_SHA1_Init"].contains(call.name)
            let isInsecure =
                call.base.hasSuffix("Insecure.MD5") || call.base.hasSuffix("Insecure.SHA1")
                || call.base.hasSuffix("Insecure") && ["MD5", "SHA1"].contains(call.name)
            guard isOld || isInsecure else { continue }
            report.report(call.node)
        }
    }

    private static let rawSharedSecret = calls("KX03") { call, file, report in
        if call.name == "SymmetricKey", let data = call.argument("data") {
            let text = origin(data, file)
            guard
                text.contains("sharedSecretFromKeyAgreement")
                    || text.lowercased().contains("sharedsecret"),
                !text.contains("hkdf"), !text.contains("x963")
            else { return }
            return report.report(call.node)
        }
        guard call.name == "withUnsafeBytes", call.base.lowercased().contains("sharedsecret"),
            call.node.trimmedDescription.contains("SymmetricKey(")
        else { return }
        report.report(call.node)
    }

    private static let passwordAsKey = calls("KX04") { call, file, report in
        guard call.name == "SymmetricKey", let data = call.argument("data") else { return }
        let text = origin(data, file)
        let names = ["password", "passphrase", "passcode", "pin."]
        guard names.contains(where: text.lowercased().contains),
            !["PBKDF", "Argon", "scrypt", "derive", "HKDF"].contains(where: {
                text.lowercased().contains($0.lowercased())
            })
        else { return }
        report.report(call.node)
    }

    private static let lowIterations = calls("KX05") { call, file, report in
        var count: ExprSyntax?
        if call.name == "CCKeyDerivationPBKDF" { count = call.argument(at: 6) }
        if call.name.lowercased().contains("pbkdf2") || call.base.lowercased().contains("pbkdf2") {
            count = call.argument("iterations") ?? call.argument("rounds")
        }
        guard var value = count else { return }
        if let wrapped = value.as(FunctionCallExprSyntax.self), let first = wrapped.arguments.first
        {
            value = first.expression
        }
        let known = Arithmetic.value(of: value) ?? constant(value, file)
        guard let known, known < 600_000 else { return }
        report.report(call.node, "\(Int(known)) iterations make guessing cheap.")
    }

    private static func constant(_ node: ExprSyntax, _ file: FileAnalysis) -> Double? {
        let lines = origin(node, file).split(separator: "\n")
        return lines.last.flatMap { Double($0.filter { $0.isNumber }) }
    }

    private static let legacyCipher = Check("KX07") { file, report in
        let text = file.file.source.text
        let names = [
            "kCCAlgorithmDES", "kCCAlgorithm3DES", "kCCAlgorithmRC4", "kCCAlgorithmRC2",
            "kCCOptionECBMode", "kCCAlgorithmCAST", "kCCAlgorithmBlowfish",
        ]
        for name in names where text.contains(name) {
            let finder = NameFinder(name)
            finder.walk(file.file.tree)
            for node in finder.found { report.report(node, "\(name) is broken.") }
        }
        guard text.contains("kCCAlgorithmAES"), !text.contains("CCHmac"), !text.contains("HMAC<"),
            !text.contains("kCCOptionECBMode")
        else { return }
        for call in file.file.calls where call.name == "CCCrypt" {
            report.report(call.node, "CBC without an authentication code does not detect changes.")
        }
    }

    private static let shortKey = calls("KX08") { call, _, report in
        guard call.name == "SymmetricKey",
            call.argument("size")?.trimmedDescription == ".bits128"
        else { return }
        report.report(call.node)
    }

    private static let manualSealedBox = Check("KX09") { file, report in
        guard file.file.source.text.contains(".ciphertext") else { return }
        let finder = OperatorFinder("+")
        finder.walk(file.file.tree)
        for node in finder.found {
            let text = node.trimmedDescription
            guard text.contains(".ciphertext"), text.contains(".tag") || text.contains(".nonce"),
                node.parent?.is(InfixOperatorExprSyntax.self) != true
            else { continue }
            report.report(node)
        }
    }

    private static let enclaveImport = calls("KX12") { call, _, report in
        let text = call.base + "." + call.name
        guard text.contains("SecureEnclave."), text.contains("PrivateKey"),
            ["rawRepresentation", "x963Representation", "pemRepresentation", "derRepresentation"]
                .contains(where: { call.argument($0) != nil })
        else { return }
        report.report(call.node)
    }

    private static let enclaveSymmetric = Check("KX13") { file, report in
        guard file.file.source.text.contains("SecureEnclave.") else { return }
        for name in ["AES", "SymmetricKey", "ChaChaPoly", "HMAC", "Curve25519"] {
            let finder = MemberFinder(name)
            finder.walk(file.file.tree)
            for node in finder.found where node.base?.trimmedDescription == "SecureEnclave" {
                report.report(node)
            }
        }
    }

    private static let enclaveBlob = uses("KX14") { use, file, report in
        guard use.isAdd, let entry = use.dictionary["kSecValueData"], let value = entry.expression
        else { return }
        let text = Provenance.text(of: value, in: use.function, file.file)
        guard text.contains("SecureEnclave."), text.contains("dataRepresentation") else { return }
        let isMigratable = use.accessibility.map { !$0.hasSuffix("ThisDeviceOnly") } ?? false
        guard use.isSynchronizable || isMigratable else { return }
        report.report(entry.node)
    }

    private static let lostEncapsulatedKey = Check("KX15") { file, report in
        let text = file.file.source.text
        guard text.contains("HPKE.Sender("), !text.contains("encapsulatedKey") else { return }
        for call in file.file.calls where call.name == "Sender" && call.base.hasSuffix("HPKE") {
            report.report(call.node)
        }
    }

    private static let availabilityFloor = Check("KX16") { file, report in
        let text = file.file.source.text
        guard !text.contains("@available"), !text.contains("#available") else { return }
        let floors = [
            "HPKE": 17, "SHA3_256": 18, "SHA3_384": 18, "SHA3_512": 18, "MLKEM768": 26,
            "MLKEM1024": 26, "MLDSA65": 26, "MLDSA87": 26, "XWingMLKEM768X25519": 26,
        ]
        for (name, version) in floors.sorted(by: { $0.key < $1.key }) where text.contains(name) {
            let finder = NameFinder(name)
            finder.walk(file.file.tree)
            guard let node = finder.found.first else { continue }
            report.report(node, "\(name) needs iOS \(version).")
        }
    }

    private static let rsaForNewCode = uses("KX17") { use, _, report in
        guard use.role == .generate, let entry = use.dictionary.certain("kSecAttrKeyType"),
            entry.value.name == "kSecAttrKeyTypeRSA"
        else { return }
        report.report(entry.node)
    }
}

/// Finds operators.
final class OperatorFinder: SyntaxVisitor {
    private let sign: String
    private(set) var found: [InfixOperatorExprSyntax] = []

    init(_ sign: String) {
        self.sign = sign
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.trimmedDescription == sign { found.append(node) }
        return .visitChildren
    }
}
