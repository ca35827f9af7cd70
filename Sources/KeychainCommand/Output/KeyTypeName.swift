import Cryptography
import KeyRepresentation
import KeychainModel

/// The common names of key types and key classes.
enum KeyTypeName {
    /// `kSecAttrKeyTypeAES`.
    static let aes: Int64 = 2_147_483_649

    /// `kSecAttrKeyClassPrivate`.
    static let privateClass: Int64 = 1

    /// Returns a name such as `EC`; nil for an unknown type.
    static func type(_ number: Int64) -> String? {
        if number == aes { return "AES" }
        switch KeyFamily(typeNumber: number) {
        case .rsa?: return KeyKind.rsa(bitCount: 0).typeName
        case .ellipticCurve?: return KeyKind.ellipticCurve(.p256).typeName
        case .ed25519?: return KeyKind.ed25519.typeName
        case .x25519?: return KeyKind.x25519.typeName
        case nil: return nil
        }
    }

    /// Returns `public`, `private` or `symmetric`; nil for any other number.
    static func keyClass(_ number: Int64) -> String? {
        classes.first { $0.number == number }?.name
    }

    /// Returns the value of `kSecAttrKeyClass` for a name.
    static func keyClass(named name: String) -> Int64? {
        classes.first { $0.name == name }?.number
    }

    /// The names of the classes.
    static let classNames = classes.map(\.name)

    /// Returns the value of `kSecAttrKeyType` for the name of an algorithm.
    static func type(named name: String) -> Int64? {
        types.first { $0.name == name }?.kind.typeNumber
    }

    /// The names of the algorithms.
    static let typeNames = types.map(\.name)

    private static let types: [(name: String, kind: KeyKind)] = [
        ("rsa", .rsa(bitCount: 0)), ("ec", .ellipticCurve(.p256)), ("ed25519", .ed25519),
        ("x25519", .x25519),
    ]

    private static let classes: [(number: Int64, name: String)] = [
        (0, "public"), (privateClass, "private"), (2, "symmetric"),
    ]
}
