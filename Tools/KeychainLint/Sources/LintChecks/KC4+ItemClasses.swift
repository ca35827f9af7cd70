import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

extension Check {
    static let itemClasses: [Check] = [
        genericForWebCredential, identityAdd, keyWithoutType, applicationLabelMisuse, tagOnNonKey,
        attributeNotForClass, rawKeyData, pemToCertificate, nonNISTKey, primaryKeyInUpdate,
        labelAsIdentity,
    ]

    private static let genericForWebCredential = uses("KC401") { use, _, report in
        guard use.isAdd, use.itemClass == .genericPassword,
            let service = use.dictionary.certain("kSecAttrService"),
            let account = use.dictionary["kSecAttrAccount"]
        else { return }
        let name = service.expression.map(HostNames.variable) ?? ""
        let isHost = service.value.string.map(HostNames.isHost) ?? HostNames.isHostVariable(name)
        guard isHost, HostNames.isLogin(account) else { return }
        report.report(
            service.node,
            "The service is a web site, but a generic password is invisible to AutoFill.",
            subjects: use.subjects
        )
    }

    private static let identityAdd = uses("KC402") { use, _, report in
        guard use.isAdd, use.itemClass == .identity, use.dictionary.lacks("kSecValueRef") else {
            return
        }
        report.report(use.node, related: use.literal, subjects: use.subjects)
    }

    private static let keyWithoutType = uses("KC403") { use, _, report in
        let dictionary = use.dictionary
        func missing(_ keys: [String]) -> [String] { keys.filter(dictionary.lacks) }
        var absent: [String] = []
        var severity = Severity.error
        switch use.role {
        case .generate:
            absent = missing(["kSecAttrKeyType", "kSecAttrKeySizeInBits"])
        case .createKey:
            absent = missing(["kSecAttrKeyType", "kSecAttrKeyClass"])
        case .add, .addLike:
            guard use.itemClass == .key, dictionary["kSecValueData"] != nil, !use.hasReference
            else { return }
            absent = missing(["kSecAttrKeyType"])
        case .copy, .searchLike:
            guard use.itemClass == .key, !use.hasReference, !use.asksForAll,
                dictionary["kSecAttrApplicationLabel"] == nil,
                dictionary["kSecAttrApplicationTag"] != nil
                    || dictionary["kSecAttrLabel"] != nil
            else { return }
            absent = missing(["kSecAttrKeyType", "kSecAttrKeyClass"])
            guard absent.count == 2 else { return }
            severity = .warning
        default: return
        }
        guard !absent.isEmpty else { return }
        report.report(
            use.node,
            "\(absent.joined(separator: " and ")) \(absent.count == 1 ? "is" : "are") missing.",
            severity: severity,
            related: use.literal,
            subjects: use.subjects
        )
    }

    private static let applicationLabelMisuse = uses("KC404") { use, _, report in
        guard use.itemClass == .key || use.role == .generate,
            use.isAdd || use.role == .generate || use.role == .updateValues || use.isSearch
        else { return }
        let dictionary = use.dictionary["kSecPrivateKeyAttrs"]?.value.dictionary ?? use.dictionary
        guard
            let entry = dictionary["kSecAttrApplicationLabel"]
                ?? use.dictionary["kSecAttrApplicationLabel"]
        else { return }
        if case .string = entry.value {
            report.report(
                entry.node,
                "A text is no value for kSecAttrApplicationLabel.",
                subjects: use.subjects
            )
        } else if use.isAdd || use.role == .generate {
            let types = [
                "kSecAttrKeyTypeEC", "kSecAttrKeyTypeRSA", "kSecAttrKeyTypeECSECPrimeRandom",
            ]
            let isSymmetric =
                use.dictionary["kSecAttrKeyClass"]?.value.name == "kSecAttrKeyClassSymmetric"
            guard !isSymmetric, let type = use.dictionary["kSecAttrKeyType"]?.value.name,
                types.contains(type)
            else { return }
            report.report(entry.node, severity: .warning, subjects: use.subjects)
        }
    }

    private static let tagOnNonKey = uses("KC405") { use, _, report in
        guard let itemClass = use.itemClass, itemClass != .key, itemClass != .identity,
            let entry = use.dictionary.certain("kSecAttrApplicationTag")
        else { return }
        report.report(
            entry.node,
            "\(itemClass.rawValue) has no kSecAttrApplicationTag: the call fails.",
            subjects: use.subjects
        )
    }

    private static let attributeNotForClass = Check("KC406") { file, report in
        for use in file.uses {
            var itemClass = use.itemClass
            if use.role == .updateValues {
                itemClass =
                    file.uses.first { $0.role == .updateQuery && $0.isSameCall(as: use) }?
                    .itemClass
            }
            guard let itemClass else { continue }
            let known = KeychainNames.attributes(of: itemClass)
            for key in use.dictionary.keys where key.hasPrefix("kSecAttr") {
                guard !known.contains(key), let entry = use.dictionary.certain(key),
                    key != "kSecAttrApplicationTag"
                else { continue }
                report.report(
                    entry.node,
                    "\(itemClass.rawValue) has no \(key).",
                    subjects: use.subjects
                )
            }
        }
    }

    private static let rawKeyData = uses("KC407") { use, _, report in
        guard use.isAdd, use.itemClass == .key,
            let entry = use.dictionary.certain("kSecValueData")
        else { return }
        let keyClass = use.dictionary["kSecAttrKeyClass"]
        if let keyClass {
            guard let name = keyClass.value.name, name != "kSecAttrKeyClassSymmetric" else {
                return
            }
        } else if use.dictionary.isOpen {
            return
        }
        report.report(entry.node, subjects: use.subjects)
    }

    private static let pemToCertificate = calls("KC408") { call, file, report in
        guard call.name == "SecCertificateCreateWithData", let data = call.argument(at: 1),
            let function = file.file.function(around: call.node)
        else { return }
        let origin = Provenance.text(of: data, in: function, file.file)
        guard !origin.contains("base64Encoded") else { return }
        if origin.contains("BEGIN CERTIFICATE") || origin.contains(".pem\"")
            || origin.contains("ofType: \"pem\"") || origin.contains("withExtension: \"pem\"")
        {
            report.report(call.node)
        } else if data.trimmedDescription.lowercased().contains("pem") {
            report.report(call.node, "The name says PEM, but the call reads DER.", severity: .note)
        }
    }

    private static let nonNISTKey = uses("KC409") { use, file, report in
        guard use.isAdd, use.itemClass == .key,
            let entry = use.dictionary.certain("kSecValueData"), let expression = entry.expression
        else { return }
        let origin = origin(of: expression, in: use.function, file.file)
        let isSymmetric =
            use.dictionary["kSecAttrKeyClass"]?.value.name == "kSecAttrKeyClassSymmetric"
        let others = keysWithoutForm + (isSymmetric ? [] : ["SymmetricKey("])
        guard let kind = others.first(where: origin.contains) else { return }
        report.report(
            entry.node,
            "\(kind.dropLast()) has no SecKey form.",
            subjects: use.subjects
        )
    }

    private static let keysWithoutForm = ["Curve25519.", "SecureEnclave."]

    /// Returns the origin of a value, and the types of its names.
    private static func origin(
        of expression: ExprSyntax,
        in function: FunctionInfo,
        _ file: ParsedFile
    ) -> String {
        let own =
            Provenance.text(of: expression, in: function, file) + "\n"
            + ValueTypes.texts(of: expression, in: function, file)
        return ValueTypes.arguments(for: expression, of: function, file).reduce(own) { all, given in
            all + "\n" + Provenance.text(of: given.value, in: given.caller, file) + "\n"
                + ValueTypes.texts(of: given.value, in: given.caller, file)
        }
    }

    private static let primaryKeyInUpdate = Check("KC410") { file, report in
        let always: Set<String> = ["kSecAttrService", "kSecAttrAccount", "kSecAttrServer"]
        for use in file.uses where use.role == .updateValues {
            let query = file.uses.first { $0.role == .updateQuery && $0.isSameCall(as: use) }
            let primary = query?.itemClass.map { Set(KeychainNames.primaryKey(of: $0)) } ?? always
            for key in use.dictionary.keys where primary.contains(key) {
                guard let entry = use.dictionary.certain(key),
                    query == nil || query?.dictionary[key] == nil
                        || query?.agrees(with: use, on: key) == false
                else { continue }
                let severity: Severity =
                    report.configuration.followsAppleSource ? .warning : .error
                report.report(
                    entry.node,
                    "\(key) is part of the primary key: an update cannot change it.",
                    severity: severity,
                    subjects: use.subjects
                )
            }
        }
    }

    private static let labelAsIdentity = uses("KC411") { use, _, report in
        guard use.isSearch || use.role == .delete, let itemClass = use.itemClass,
            itemClass.isPassword, let entry = use.dictionary.certain("kSecAttrLabel"),
            use.dictionary.lacks(all: ["kSecAttrService", "kSecAttrAccount", "kSecAttrServer"])
        else { return }
        report.report(entry.node)
    }
}

/// Names of web sites, and of people who sign in there.
enum HostNames {
    private static let suffixes: Set<String> = [
        "com", "org", "net", "io", "dev", "app", "edu", "gov", "de", "uk", "fr", "eu", "us", "ch",
        "at", "nl", "it", "es", "jp", "cn", "in", "br", "au", "ca", "ru", "me", "co", "info",
    ]
    /// The beginnings of names in reverse order.
    private static let beginnings = suffixes.union(["group", "ai", "xyz", "se", "no", "pl", "be"])

    static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("http://") || text.hasPrefix("https://") { return true }
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let first = labels.first, let last = labels.last,
            labels.allSatisfy({
                !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            })
        else { return false }
        return suffixes.contains(String(last)) && !beginnings.contains(String(first))
    }

    static func variable(_ expression: ExprSyntax) -> String {
        expression.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
    }

    static func isHostVariable(_ name: String) -> Bool {
        ["domain", "host", "hostname", "website", "websiteurl", "hostName"].contains(name)
            || ["domain", "website"].contains(name.lowercased())
    }

    /// Whether an account looks like a name for signing in.
    static func isLogin(_ entry: QueryDictionary.Entry) -> Bool {
        if let text = entry.value.string { return text.contains("@") }
        let name = entry.expression.map(variable)?.lowercased() ?? ""
        return ["user", "login", "email", "mail", "account"].contains(where: name.contains)
    }
}
