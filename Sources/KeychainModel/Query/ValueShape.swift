import Secrets

/// A reader of the values of query keys by their shape; a wrong shape is `errSecParam`.
package enum ValueShape {
    /// Whether the value has the shape.
    package static func admits(_ value: AttributeValue, as shape: QueryKey.Shape) -> Bool {
        switch shape {
        case .bool: bool(value) != nil
        case .text, .classLetters: text(value) != nil
        case .bytes: isBytes(value)
        case .flag: flag(value) != nil
        case .limit: limit(value) != nil
        case .issuers: true
        case .validityDate: isDateOrNull(value)
        case .policy: policy(value) != nil
        case .anything: !isNull(value)
        }
    }

    /// Returns the value of a boolean object; the number 1 is not one.
    package static func bool(_ value: AttributeValue) -> Bool? {
        guard case .bool(let flag) = value else { return nil }
        return flag
    }

    package static func policy(_ value: AttributeValue) -> CertificatePolicy? {
        guard case .policy(let policy) = value else { return nil }
        return policy
    }

    package static func text(_ value: AttributeValue) -> String? {
        guard case .string(let text) = value else { return nil }
        return text
    }

    /// Returns the flag of a boolean, a number or a number's text.
    package static func flag(_ value: AttributeValue) -> Bool? {
        guard case .number(let number)? = Coercion.coerce(value, to: .number) else { return nil }
        return number != 0
    }

    /// Returns the limit: one, all, or a whole number, of which -1 means all and 1 means one.
    package static func limit(_ value: AttributeValue) -> MatchLimit? {
        switch value {
        case .string(QueryKey.Word.limitOne): .one
        case .string(QueryKey.Word.limitAll): .all
        case .number(let number): limit(number)
        case .real(let number): Int64(exactly: number).flatMap(limit)
        default: nil
        }
    }

    private static func limit(_ number: Int64) -> MatchLimit? {
        switch number {
        case ..<0: .all
        case 1: .one
        default: Int(exactly: number).map(MatchLimit.atMost)
        }
    }

    private static func isBytes(_ value: AttributeValue) -> Bool {
        switch value {
        case .data, .secret: true
        default: false
        }
    }

    private static func isDateOrNull(_ value: AttributeValue) -> Bool {
        switch value {
        case .date, .null: true
        default: false
        }
    }

    private static func isNull(_ value: AttributeValue) -> Bool {
        if case .null = value { true } else { false }
    }
}
