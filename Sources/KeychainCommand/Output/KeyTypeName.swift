import Cryptography
import KeyRepresentation
import KeychainModel

/// Keys by the names people know.
enum KeyTypeName {
    /// `kSecAttrKeyTypeAES`.
    static let aes: Int64 = 2_147_483_649

    /// Such as `EC`; nil for a type that is not known here.
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

    /// `public`, `private` or `symmetric`; nil for any other number.
    static func keyClass(_ number: Int64) -> String? {
        classes.first { $0.number == number }?.name
    }

    /// The value of `kSecAttrKeyClass` for a name.
    static func keyClass(named name: String) -> Int64? {
        classes.first { $0.name == name }?.number
    }

    /// The names of the classes.
    static let classNames = classes.map(\.name)

    private static let classes: [(number: Int64, name: String)] = [
        (0, "public"), (1, "private"), (2, "symmetric"),
    ]
}
