import Cryptography

// ★ Table: the kinds of keys by the number and the name that items have for them.
//
// Source: requirements CLS-20, KEY-04; the numbers are those of Apple's keys.

extension KeyKind {
    /// The value of `kSecAttrKeyType`.
    package var typeNumber: Int64 {
        switch self {
        case .rsa: 42
        case .ellipticCurve: 73
        case .ed25519: 105
        case .x25519: 106
        }
    }

    /// The kind's name for people.
    package var typeName: String {
        switch self {
        case .rsa: "RSA"
        case .ellipticCurve: "EC"
        case .ed25519: "Ed25519"
        case .x25519: "X25519"
        }
    }
}

extension KeyFamily {
    /// Creates the family of a `kSecAttrKeyType` value; nil for symmetric and unknown ones.
    package init?(typeNumber: Int64) {
        switch typeNumber {
        case 42: self = .rsa
        case 73: self = .ellipticCurve
        case 105: self = .ed25519
        case 106: self = .x25519
        default: return nil
        }
    }
}
