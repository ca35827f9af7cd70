import Secrets

/// A parser of dictionaries into queries, which throws the status with the reason.
///
/// It is pure: it depends only on the schema and the profiles. Its remarks stay in ``findings``,
/// even if it throws.
/// - Source: requirements QRY-01 to QRY-47; the rules of each function are in its extension.
package struct QueryParser: Sendable {
    package let profiles: Profiles
    package let verb: Finding.Verb
    package private(set) var findings: [Finding] = []

    package init(_ verb: Finding.Verb, profiles: Profiles) {
        self.verb = verb
        self.profiles = profiles
    }

    mutating func note(
        _ rule: DiagnosticRule,
        _ itemClass: ItemClass?,
        status: SecurityStatus = .success,
        detail: String? = nil
    ) {
        findings.append(
            Finding(
                rule,
                verb: verb,
                item: itemClass?.rawValue ?? "item",
                status: status,
                detail: detail
            )
        )
    }

    /// Notes the rule and throws the status, for a refusal with a rule of its own.
    mutating func refuse(
        _ rule: DiagnosticRule,
        _ itemClass: ItemClass?,
        _ status: SecurityStatus,
        _ reason: String
    ) throws(KeychainError) -> Never {
        note(rule, itemClass, status: status)
        throw KeychainError(status, reason)
    }
}

// The checks that every function makes.
extension QueryParser {
    mutating func parse(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> ParsedDictionary {
        do throws(KeychainError) {
            return try ParsedDictionary(dictionary)
        } catch {
            let naming = [QueryKey.itemClass, .valuePersistentReference]
            if error.status == .param, naming.allSatisfy({ dictionary[$0.rawValue] == nil }) {
                note(.missingClass, nil, status: error.status)
            }
            throw error
        }
    }

    /// Returns the attribute's row; throws the status for an attribute that the class lacks.
    mutating func spec(
        _ attribute: Attribute,
        in itemClass: ItemClass
    ) throws(KeychainError) -> AttributeSpec {
        guard let spec = Schema.spec(attribute, in: itemClass) else {
            let reason = "\(itemClass.rawValue) has no attribute '\(attribute.rawValue)'"
            guard attribute == .applicationTag, itemClass == .certificate else {
                try refuse(.attributeNotInClass, itemClass, .noSuchAttribute, reason)
            }
            let status: SecurityStatus =
                profiles.behavior.tagOnCertificate == .param ? .param : .noSuchAttribute
            try refuse(.tagOnCertificate, itemClass, status, reason)
        }
        if spec.traits.contains(.refused) {
            throw KeychainError(
                .param,
                "'\(attribute.rawValue)' cannot be set: the keychain sets it"
            )
        }
        if spec.traits.contains(.privileged) {
            let reason = "'\(attribute.rawValue)' needs a private entitlement"
            throw KeychainError(.missingEntitlement, reason)
        }
        return spec
    }

    func coerce(
        _ value: AttributeValue,
        for spec: AttributeSpec
    ) throws(KeychainError) -> AttributeValue {
        guard let coerced = Coercion.coerce(value, to: spec.kind) else {
            let name = spec.attribute.rawValue
            throw KeychainError(.param, "'\(name)' does not accept a \(value.typeName)")
        }
        return coerced
    }

    /// Returns the group as given; the authorizer checks whether the caller may name it.
    func accessGroup(from value: AttributeValue) throws(KeychainError) -> String {
        guard case .string(let group)? = Coercion.coerce(value, to: .string) else {
            throw KeychainError(.missingEntitlement, "kSecAttrAccessGroup must be a string")
        }
        return group
    }

    func protection(from value: AttributeValue) throws(KeychainError) -> ProtectionClass {
        guard
            case .string(let code)? = Coercion.coerce(value, to: .accessible),
            let protection = ProtectionClass(code: code)
        else {
            throw KeychainError(.param, "kSecAttrAccessible is not one of its seven values")
        }
        return protection
    }

    func flag(_ value: AttributeValue, _ name: String) throws(KeychainError) -> Bool {
        guard let flag = ValueShape.flag(value) else {
            throw KeychainError(.param, "'\(name)' does not accept a \(value.typeName)")
        }
        return flag
    }

    /// Returns the terms from the use keys, which mean the same to all functions.
    mutating func authentication(
        of parsed: ParsedDictionary
    ) throws(KeychainError) -> AuthenticationTerms {
        guard parsed.hasKey(of: .use) || parsed.hasKey(of: .value) else {
            return AuthenticationTerms()
        }
        if parsed.keys[.useItemList] != nil {
            throw KeychainError(.param, "kSecUseItemList is not supported")
        }
        if parsed.keys[.valueReference] != nil {
            throw KeychainError(.param, "kSecValueRef is not a key, certificate or identity")
        }
        if parsed.keys[.useAuthenticationContext] != nil,
            parsed.keys[.useCredentialReference] != nil
        {
            let reason = "kSecUseAuthenticationContext and a credential exclude each other"
            throw KeychainError(.param, reason)
        }
        var terms = AuthenticationTerms()
        terms.interface = try interface(of: parsed)
        terms.reason = parsed.keys[.useOperationPrompt].flatMap(ValueShape.text)
        switch parsed.keys[.useAuthenticationContext] {
        case .authentication(let context)?: terms.context = context
        case nil: break
        case let value?:
            let reason = "kSecUseAuthenticationContext does not accept a \(value.typeName)"
            throw KeychainError(.param, reason)
        }
        return terms
    }

    private mutating func interface(
        of parsed: ParsedDictionary
    ) throws(KeychainError) -> AuthenticationInterface {
        if let value = parsed.keys[.useNoAuthenticationUI], try flag(value, "u_NoAuthUI") {
            return .fail
        }
        switch parsed.keys[.useAuthenticationUI].flatMap(ValueShape.text) {
        case QueryKey.Word.interfaceSkip?:
            guard verb == .copyMatching else {
                let reason = "only SecItemCopyMatching accepts kSecUseAuthenticationUISkip"
                try refuse(.skipInterfaceMisuse, parsed.itemClass, .param, reason)
            }
            return .skip
        case QueryKey.Word.interfaceFail?: return .fail
        default: return .allow
        }
    }

    /// Refuses match keys in an update or delete, or ignores them if the profile says so.
    mutating func checkMatchKeys(of parsed: ParsedDictionary) throws(KeychainError) {
        guard parsed.hasMatchKey else { return }
        guard profiles.ignoresMatchKeysInWrites else {
            try refuse(
                .matchKeyInWrite,
                parsed.itemClass,
                .param,
                "a match key belongs only in a search"
            )
        }
        note(.matchKeyInWrite, parsed.itemClass)
    }
}
