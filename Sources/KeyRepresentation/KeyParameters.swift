import Cryptography
import KeychainModel

/// The description of a key in a dictionary.
package struct KeyParameters: Sendable {
    private let attributes: AttributeDictionary

    /// Takes the dictionary of a caller, without checking it.
    package init(_ attributes: AttributeDictionary) { self.attributes = attributes }

    /// Takes the attributes of a stored item.
    package init(_ attributes: AttributeValues) {
        let named = attributes.map { ($0.key.rawValue, $0.value) }
        self.init(AttributeDictionary(SortedEntries(named)))
    }

    private func number(_ attribute: Attribute) -> Int64? {
        guard let value = attributes[attribute],
            case .number(let number)? = Coercion.coerce(value, to: .number)
        else { return nil }
        return number
    }

    /// Returns the value of a Boolean attribute.
    package func flag(_ attribute: Attribute) -> Bool? {
        attributes[attribute].flatMap(ValueShape.flag)
    }

    /// The family of the type; nil for a symmetric or unknown one.
    package var family: KeyFamily? { number(.type).flatMap(KeyFamily.init(typeNumber:)) }

    /// The size in bits, if it is stated.
    package var bitCount: Int? { number(.keySizeInBits).map { Int($0) } }

    /// Whether it is a private key; nil for a symmetric or missing class.
    package var isPrivate: Bool? {
        switch number(.keyClass) {
        case 0?: false
        case 1?: true
        default: nil
        }
    }

    /// Whether the class is that of symmetric keys.
    package var isSymmetric: Bool { number(.keyClass) == 2 }

    /// Returns the kind of key to generate.
    ///
    /// - Throws: `errSecParam` for a type or size that is missing or does not exist.
    package func kind() throws(KeychainError) -> KeyKind {
        guard let family else {
            throw KeychainError(.param, "kSecAttrKeyType is missing or not a kind of key pair")
        }
        guard let bitCount else { throw KeychainError(.param, "kSecAttrKeySizeInBits is missing") }
        switch family {
        case .rsa where KeyKind.rsaBitCounts.contains(bitCount): return .rsa(bitCount: bitCount)
        case .ed25519 where bitCount == 256: return .ed25519
        case .x25519 where bitCount == 256: return .x25519
        case .ellipticCurve:
            if let curve = EllipticCurve.allCases.first(where: { $0.bitCount == bitCount }) {
                return .ellipticCurve(curve)
            }
            throw KeychainError(.param, "there is no curve of \(bitCount) bits")
        default: throw KeychainError(.param, "a key of this type has no size of \(bitCount) bits")
        }
    }
}
