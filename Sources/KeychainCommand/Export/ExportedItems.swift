import Cryptography
import KeyRepresentation
import KeychainModel

/// The items of an export: certificates, then keys, each with its label.
struct ExportedItems {
    /// The values of `-t`.
    static let types = ["certs", "allcerts", "pubKeys", "privKeys", "identities", "all"]

    private(set) var certificates: [(certificate: Certificate, label: String?)] = []
    private(set) var keys: [(key: KeyReference, label: String?)] = []
    /// The number of private keys that may not leave the keychain.
    private(set) var sensitiveCount = 0
    /// The number of items that are neither certificates nor half of a key pair.
    private(set) var otherCount = 0

    /// The number of items to write.
    var count: Int { certificates.count + keys.count }

    /// Removes the public keys.
    ///
    /// - Returns: The number of public keys.
    mutating func removePublicKeys() -> Int {
        let count = keys.count
        keys.removeAll { !$0.key.isPrivate }
        return count - keys.count
    }

    /// Whether there is a private key.
    var hasPrivateKeys: Bool { keys.contains { $0.key.isPrivate } }

    /// Reads the items of a type.
    ///
    /// - Parameters:
    ///   - type: One of `types`.
    ///   - filter: Attributes that all items have.
    ///   - context: The context with the keychain.
    ///   - reach: Collects the items that do not open.
    /// - Throws: The keychain's error, unless it means that an item does not open.
    init(
        _ type: String,
        where filter: AttributeDictionary,
        _ context: CommandContext,
        _ reach: inout OutOfReach
    ) throws(CommandFailure) {
        let itemClasses: [ItemClass] =
            switch type {
            case "certs", "allcerts": [.certificate]
            case "pubKeys", "privKeys": [.key]
            case "identities": [.identity]
            default: [.certificate, .key]
            }
        for itemClass in itemClasses {
            let items = try context.readableItems(
                of: itemClass,
                where: filter,
                returning: [.returnReference],
                &reach
            )
            for item in items { take(item, type) }
        }
    }

    private mutating func take(_ item: ItemDictionary, _ type: String) {
        let label = item.text(.label)
        guard let reference = item.reference else { return otherCount += 1 }
        switch reference.itemClass {
        case .certificate:
            let der = reference.data.secret.copyBytesUnprotected()
            guard let certificate = try? Certificate(der: der) else { return otherCount += 1 }
            add(certificate, label)
        case .identity:
            guard let identity = IdentityReference(stored: reference) else {
                return otherCount += 1
            }
            if add(identity.privateKey, label) { add(identity.certificate, label) }
        default:
            if case .number(let number)? = item.attributes[.keyClass],
                let wanted = Self.keyClass(of: type), number != wanted
            {
                return
            }
            guard let key = KeyReference(stored: reference) else { return otherCount += 1 }
            add(key, label)
        }
    }

    /// Returns the class of key that a type selects; nil for all classes.
    private static func keyClass(of type: String) -> Int64? {
        switch type {
        case "pubKeys": 0
        case "privKeys": 1
        default: nil
        }
    }

    private mutating func add(_ certificate: Certificate, _ label: String?) {
        guard !certificates.contains(where: { $0.certificate == certificate }) else { return }
        certificates.append((certificate, label))
    }

    /// Adds a key, unless it is private and not extractable.
    ///
    /// - Returns: Whether the key may leave the keychain.
    @discardableResult
    private mutating func add(_ key: KeyReference, _ label: String?) -> Bool {
        guard !key.isPrivate || key.isExtractable else {
            sensitiveCount += 1
            return false
        }
        let isKnown = keys.contains { other in
            other.key.isPrivate == key.isPrivate && other.key.publicKey == key.publicKey
        }
        if !isKnown { keys.append((key, label)) }
        return true
    }
}

extension ItemDictionary {
    /// Returns the value of an attribute as text; nil if it is not text.
    func text(_ attribute: Attribute) -> String? {
        switch attributes[attribute] {
        case .string(let text)?: text
        case .data(let bytes)?: String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }
}
