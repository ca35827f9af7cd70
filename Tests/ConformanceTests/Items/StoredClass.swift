import ModelTestSupport
import Security
import Testing

/// ★ The four classes that have a table of their own, each with the attributes of one item.
struct StoredClass: Sendable, CustomTestStringConvertible {
    /// The value of `kSecClass`.
    let code: String
    let testDescription: String
    /// Every attribute of the primary key, apart from group and synchronizable.
    let key: [String: Sample]

    static let genericPassword = StoredClass(
        code: .genericPassword,
        testDescription: "generic password",
        key: [
            kSecAttrService as String: .text("mail"),
            kSecAttrAccount as String: .text("ada"),
        ]
    )

    static let internetPassword = StoredClass(
        code: .internetPassword,
        testDescription: "internet password",
        key: [
            kSecAttrServer as String: .text("mail.example.com"),
            kSecAttrProtocol as String: .text("htps"),
            kSecAttrPort as String: .number(443),
            kSecAttrPath as String: .text("/inbox"),
            kSecAttrAccount as String: .text("ada"),
            kSecAttrSecurityDomain as String: .text("staff"),
            kSecAttrAuthenticationType as String: .text("form"),
        ]
    )

    static let certificate = StoredClass(
        code: .certificate,
        testDescription: "certificate",
        key: [
            kSecAttrCertificateType as String: .number(1),
            kSecAttrIssuer as String: .data([1, 2, 3]),
            kSecAttrSerialNumber as String: .data([4, 5, 6]),
        ]
    )

    static let key = StoredClass(
        code: .key,
        testDescription: "key",
        key: [
            kSecAttrApplicationLabel as String: .data([7, 8, 9]),
            kSecAttrApplicationTag as String: .data([1]),
            kSecAttrKeyClass as String: .text("2"),
            kSecAttrKeyType as String: .text("2147483649"),
            kSecAttrKeySizeInBits as String: .number(256),
            kSecAttrEffectiveKeySize as String: .number(256),
        ]
    )

    static let passwords = [genericPassword, internetPassword]
    static let all = passwords + [certificate, key]

    /// The item, without a value.
    var item: Attributes {
        key.reduce([kSecClass: code]) { $0.with($1.key, $1.value) }
    }
}
