import CoreFoundation
import Cryptography
import KeychainModel
import Secrets

// ★ Table: what a key says of itself as an item, and how its attributes are read back.
//
// Source: requirements CLS-20, CLS-24, KEY-04; the values are those of Apple's keys.

extension KeyKind {
    /// The value of `kSecAttrKeyType`.
    var typeNumber: Int64 {
        switch self {
        case .rsa: 42
        case .ellipticCurve: 73
        case .ed25519: 105
        case .x25519: 106
        }
    }

    /// The kind's name for people.
    var typeName: String {
        switch self {
        case .rsa: "RSA"
        case .ellipticCurve: "EC"
        case .ed25519: "Ed25519"
        case .x25519: "X25519"
        }
    }
}

extension KeyFamily {
    /// The family that a `kSecAttrKeyType` value names, as text or number.
    init?(typeNumber: Int64) {
        switch typeNumber {
        case 42: self = .rsa
        case 73: self = .ellipticCurve
        case 105: self = .ed25519
        case 106: self = .x25519
        default: return nil
        }
    }
}

extension SecKey {
    /// What the halves of each family can be used for: the columns are public, private.
    private static let uses: [(attribute: Attribute, publicHalf: Bool, privateHalf: Bool)] = [
        (.canEncrypt, true, false),
        (.canDecrypt, false, true),
        (.canVerify, true, false),
        (.canSign, false, true),
        (.canWrap, true, false),
        (.canUnwrap, false, true),
        (.canSignRecover, false, false),
        (.canVerifyRecover, false, false),
    ]

    /// The attributes that a query by reference leaves out.
    static let usageAttributes: Set<Attribute> = Set(
        uses.map(\.attribute) + [.canDerive, .isPermanent]
    )

    /// The attributes under which the key is stored.
    ///
    /// - Throws: `errSecInternalComponent` when the key's identity cannot be computed.
    func itemAttributes() throws(KeychainError) -> [Attribute: AttributeValue] {
        var attributes: [Attribute: AttributeValue] = [
            .keyClass: .number(isPrivate ? 1 : 0),
            .applicationLabel: .data(try applicationLabel()),
            .isPermanent: .number(1),
            // True for public keys too, as on Apple's systems.
            .isPrivate: .number(1),
            .isModifiable: .number(1),
            .type: .number(kind.typeNumber),
            .keySizeInBits: .number(Int64(kind.bitCount)),
            .effectiveKeySize: .number(Int64(kind.bitCount)),
            .isSensitive: .number(0),
            .wasAlwaysSensitive: .number(0),
            .isExtractable: .number(isExtractable ? 1 : 0),
            .wasNeverExtractable: .number(isExtractable ? 0 : 1),
            .canDerive: .number(isPrivate && kind.family != .rsa ? 1 : 0),
        ]
        for use in Self.uses {
            let isTrue = isPrivate ? use.privateHalf : use.publicHalf
            attributes[use.attribute] = .number(isTrue ? 1 : 0)
        }
        return attributes
    }

    /// SHA-1 of the public key's bytes: the same for both halves and for the certificate.
    func applicationLabel() throws(KeychainError) -> [UInt8] {
        do throws(CryptographyError) {
            return try publicKey.identity()
        } catch { throw KeychainError(error) }
    }
}

/// The key's attributes, as they would be stored; class and type as text.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    guard let attributes = try? key.itemAttributes() else { return nil }
    let dictionary = NSMutableDictionary()
    for (attribute, value) in attributes {
        dictionary[NSString(string: attribute.rawValue)] = ResultBridge.object(of: value)
    }
    dictionary[kSecAttrKeyClass] = key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic
    dictionary[kSecAttrKeyType] = NSString(string: String(key.kind.typeNumber))
    dictionary[kSecAttrIsPermanent] = NSNumber(value: false)
    dictionary[kSecClass] = kSecClassKey
    return dictionary
}

/// The parameters of a key function, read from the caller's dictionary.
struct KeyParameters {
    private let attributes: AttributeDictionary

    init(_ attributes: AttributeDictionary) { self.attributes = attributes }

    init(_ dictionary: CFDictionary) { self.init(DictionaryBridge.attributes(of: dictionary)) }

    private func number(_ attribute: Attribute) -> Int64? {
        guard let value = attributes[attribute],
            case .number(let number)? = Coercion.coerce(value, to: .number)
        else { return nil }
        return number
    }

    func flag(_ attribute: Attribute) -> Bool? {
        attributes[attribute].flatMap(ValueShape.flag)
    }

    var family: KeyFamily? { number(.type).flatMap(KeyFamily.init(typeNumber:)) }
    var bitCount: Int? { number(.keySizeInBits).map { Int($0) } }
    var isPrivate: Bool? {
        switch number(.keyClass) {
        case 0?: false
        case 1?: true
        default: nil
        }
    }
    var isSymmetric: Bool { number(.keyClass) == 2 }

    /// The kind of key to generate.
    func kind() throws(KeychainError) -> KeyKind {
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
