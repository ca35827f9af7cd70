import Secrets

/// A value in a query dictionary, converted by the bridge but not yet checked by the schema.
package enum AttributeValue: Sendable {
    case string(String)
    case data([UInt8])
    case number(Int64)
    case real(Double)
    case bool(Bool)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// The bytes of `kSecValueData`: the secret half of an item.
    case secret(SharedSecret)
    case accessControl(AccessControl)
    case array([AttributeValue])
    /// An object under `kSecUseAuthenticationContext`.
    case authentication(ContextReference)
    /// A policy under `kSecMatchPolicy`.
    case policy(CertificatePolicy)
    /// nil or `NSNull` in the caller's dictionary.
    case null
    /// A value of a type that no attribute accepts; the text names the type, never the content.
    case unsupported(typeName: String)

    /// The word for the value's type in a finding.
    package var typeName: String {
        switch self {
        case .string: "string"
        case .data, .secret: "data"
        case .number, .real: "number"
        case .bool: "boolean"
        case .date: "date"
        case .accessControl: "access control"
        case .array: "array"
        case .authentication: "context"
        case .policy: "policy"
        case .null: "null"
        case .unsupported(let typeName): typeName
        }
    }
}

extension AttributeValue: Hashable {
    /// Compares by content, except secrets, which are equal only to themselves.
    package static func == (left: AttributeValue, right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.secret(let left), .secret(let right)): left === right
        case (.accessControl(let left), .accessControl(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.authentication(let left), .authentication(let right)):
            left.session == right.session
        case (.policy(let left), .policy(let right)): left == right
        case (.null, .null): true
        case (.unsupported(let left), .unsupported(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .data(let bytes): hasher.combine(bytes)
        case .number(let number): hasher.combine(number)
        case .real(let number), .date(let number): hasher.combine(number)
        case .bool(let flag): hasher.combine(flag)
        case .accessControl(let control): hasher.combine(control)
        case .array(let values): hasher.combine(values)
        case .secret(let secret): hasher.combine(ObjectIdentifier(secret))
        case .authentication(let context): hasher.combine(context.session)
        case .policy(let policy): hasher.combine(policy)
        case .null: hasher.combine(0)
        case .unsupported(let typeName): hasher.combine(typeName)
        }
    }
}
