import KeychainModel
import Secrets

/// An item's attributes under readable names, for `--json` and for tables.
enum ItemJSON {
    /// Names that differ from Apple's constant; all others are the constant without `kSecAttr`.
    private static let names: [Attribute: String] = [
        .creationDate: "created", .modificationDate: "modified", .description: "kind",
    ]

    /// Numbers that mean true or false.
    private static let flags: Set<Attribute> = [
        .synchronizable, .isInvisible, .isNegative, .isPermanent, .isPrivate, .isModifiable,
        .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt,
        .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover,
        .canWrap, .canUnwrap,
    ]

    /// Bytes that are never text, even if they happen to be UTF-8.
    private static let binary: Set<Attribute> = [
        .applicationLabel, .publicKeyHash, .subjectKeyID, .serialNumber, .subject, .issuer,
    ]

    /// Dates for which zero means that there is none.
    private static let optionalDates: Set<Attribute> = [.startDate, .endDate]

    /// Returns the item's attributes, and its password if it was read.
    static func object(_ item: ItemDictionary, _ itemClass: ItemClass) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["class": .text(itemClass.rawValue)]
        for spec in Schema.specs(of: itemClass) where !spec.attribute.isBookkeeping {
            guard let value = item.attributes[spec.attribute], let name = name(of: spec) else {
                continue
            }
            add(value, spec.attribute, as: name, to: &members)
        }
        if let data = item.data { addPassword(data, to: &members) }
        return members
    }

    /// Returns a name such as `account` or `modified`; nil for an attribute without a public name.
    private static func name(of spec: AttributeSpec) -> String? {
        if let name = names[spec.attribute] { return name }
        guard let constant = spec.constant, constant.hasPrefix("kSecAttr") else { return nil }
        let name = constant.dropFirst("kSecAttr".count)
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    private static func add(
        _ value: AttributeValue,
        _ attribute: Attribute,
        as name: String,
        to members: inout [String: JSONValue]
    ) {
        switch value {
        case .string(let text):
            members[name] = .text(attribute == .accessible ? accessibility(text) : text)
        case .data(let bytes):
            if !binary.contains(attribute), let text = String(validating: bytes, as: UTF8.self) {
                members[name] = .text(text)
            } else {
                members[name + "Hex"] = .text(ByteRule.hex.text(of: bytes))
            }
        case .number(let number):
            members[name] = self.number(number, attribute)
        case .bool(let flag): members[name] = .flag(flag)
        case .date(0) where optionalDates.contains(attribute): break
        case .date(let seconds):
            members[name] = Timestamp(secondsSinceReference: seconds).map { .text($0.extended) }
        case .accessControl(let control) where !control.flags.isEmpty:
            members[name] = .text(AccessControlText.text(of: control))
        default: break
        }
    }

    private static func number(_ number: Int64, _ attribute: Attribute) -> JSONValue {
        if flags.contains(attribute) { return .flag(number != 0) }
        guard attribute == .creator || attribute == .type else { return .number(number) }
        return FourLetterCode.text(of: number).map { .text($0) } ?? .number(number)
    }

    private static func addPassword(
        _ data: SharedSecret,
        to members: inout [String: JSONValue]
    ) {
        if data.secret.withUnsafeBytes(ByteRule.isText) {
            members["password"] = .secret(data)
        } else {
            let digits = ByteRule.hex.secret(of: data.secret)
            members["passwordHex"] = .secret(SharedSecret(digits))
        }
    }

    /// Returns the name of a protection class, such as `WhenUnlocked` for `ak`.
    static func accessibility(_ code: String) -> String {
        ProtectionClass(code: code)?.name ?? code
    }
}
