import Cryptography
import KeychainModel
import Secrets

/// The keyed digests by which searches find items without opening them.
///
/// Every digest is HMAC-SHA-256 under the keychain's lookup key, truncated to 16 bytes. Without the
/// key, a stolen file does not confirm a guess.
/// - Source: Documentation/Spec/item.md §3.
struct LookupDigests: Sendable {
    static let byteCount = 16

    private let authenticator: MessageAuthenticator
    /// Seals the names of access groups, which the digests cannot be turned back into.
    private let nameKey: SharedSecret

    init(key: borrowing Secret) throws(KeychainError) {
        authenticator = try fromCryptography(try MessageAuthenticator(key: key))
        let info = Array("access group names".utf8)
        nameKey = SharedSecret(
            try fromCryptography(
                try HKDF.deriveKey(from: key, salt: [], info: info, byteCount: 32)
            )
        )
    }

    private func digest(_ message: [UInt8]) throws(KeychainError) -> [UInt8] {
        try fromCryptography(try authenticator.authenticate(message, byteCount: Self.byteCount))
    }

    /// Returns the digest of an attribute's value; that of an access group is the same in every
    /// class.
    func digest(
        of value: AttributeValue,
        for spec: AttributeSpec,
        in itemClass: ItemClass
    ) throws(KeychainError) -> [UInt8] {
        let domain = spec.attribute == .accessGroup ? "grup" : itemClass.rawValue
        let bytes = Coercion.canonicalBytes(of: value, kind: spec.kind)
        return try digest(Array(domain.utf8) + Array(spec.attribute.rawValue.utf8) + bytes)
    }

    /// Returns the digest of a public key's hash, for keys whose owner chose their label.
    func digest(ofPublicKeyHash hash: [UInt8]) throws(KeychainError) -> [UInt8] {
        let letters = ItemClass.key.rawValue + Attribute.publicKeyHash.rawValue
        return try digest(Array(letters.utf8) + hash)
    }

    func digest(ofAccessGroup group: String) throws(KeychainError) -> [UInt8] {
        try digest(Array(("grup" + Attribute.accessGroup.rawValue + group).utf8))
    }

    /// Returns the digests of an item's pairs, in the order of their names.
    ///
    /// They depend on the group. So a search finds no pair of another group, and the file does not
    /// reveal that two groups have the same pair.
    func digests(
        of pairs: LookupPairs,
        inAccessGroup group: String
    ) throws(KeychainError) -> [[UInt8]] {
        let letters = Attribute.lookupPairs.rawValue + ItemClass.genericPassword.rawValue
        var head = Array(letters.utf8)
        Self.append(Array(group.utf8), to: &head)
        var found: [[UInt8]] = []
        for pair in pairs.list {
            var message = head
            Self.append(pair.name, to: &message)
            found.append(try digest(message + pair.value))
        }
        return found
    }

    /// Returns the digests of an item's pairs; an empty array for an item without pairs.
    func digests(ofPairsOf item: PlainItem) throws(KeychainError) -> [[UInt8]] {
        guard item.itemClass == .genericPassword else { return [] }
        return try digests(of: item.pairs, inAccessGroup: item.accessGroup)
    }

    private static func append(_ part: [UInt8], to message: inout [UInt8]) {
        message += Coercion.littleEndian(UInt32(clamping: part.count))
        message += part
    }

    /// Returns the digest of bytes that identify a program; `domain` has four letters.
    func digest(ofProgram bytes: [UInt8], domain: String) throws(KeychainError) -> [UInt8] {
        try digest(Array("prog".utf8) + Array(domain.utf8) + bytes)
    }

    /// Returns the digest of the primary key that a search names.
    ///
    /// - Parameters:
    ///   - itemClass: The class.
    ///   - terms: The values of the key's other attributes; it may contain more.
    ///   - group: The access group.
    ///   - isSynchronizable: Whether the item is synchronizable.
    /// - Returns: 16 bytes; nil if the terms lack an attribute of the key.
    /// - Throws: `errSecInternalComponent` if libcrypto fails.
    func primaryKey(
        of itemClass: ItemClass,
        _ terms: AttributeValues,
        in group: String,
        isSynchronizable: Bool
    ) throws(KeychainError) -> [UInt8]? {
        var message = PrimaryKeyMessage(of: itemClass)
        let attributes = Schema.primaryKey(of: itemClass)
        for (attribute, kind) in zip(attributes, Schema.primaryKeyKinds(of: itemClass)) {
            switch attribute {
            case .accessGroup: message.append(attribute, .string(group), as: kind)
            case .synchronizable:
                message.append(attribute, .number(isSynchronizable ? 1 : 0), as: kind)
            default:
                guard let place = terms.keys.firstIndex(of: attribute) else { return nil }
                message.append(attribute, terms.values[place], as: kind)
            }
        }
        return try digest(message.bytes)
    }

    /// Returns the digest of an item's whole primary key.
    ///
    /// An attribute that the item lacks counts as the empty value of its kind.
    func primaryKey(of item: PlainItem) throws(KeychainError) -> [UInt8] {
        try digest(PrimaryKeyMessage(of: item).bytes)
    }

    /// Returns the columns by which searches find the item.
    func columns(of item: PlainItem) throws(KeychainError) -> ItemColumns {
        let attributes = Schema.digestColumns(of: item.itemClass)
        var digests = DigestColumns(capacity: attributes.count)
        for attribute in attributes {
            guard let value = item[attribute],
                let spec = Schema.spec(attribute, in: item.itemClass)
            else {
                digests.append(nil)
                continue
            }
            digests.append(try digest(of: value, for: spec, in: item.itemClass))
        }
        var publicKey: [UInt8]?
        if let hash = item.publicKeyHash { publicKey = try digest(ofPublicKeyHash: hash) }
        return ItemColumns(
            itemClass: item.itemClass,
            primaryKey: try primaryKey(of: item),
            protection: item.protection,
            isSynchronizable: item.isSynchronizable,
            isTombstone: item.isTombstone,
            reference: item.reference,
            digests: digests,
            publicKey: publicKey
        )
    }
}

// The names of access groups, readable in every lock state.
extension LookupDigests {
    func seal(name: String, random: any RandomSource) throws(KeychainError) -> [UInt8] {
        let nonce = try fromCryptography(try random.bytes(AESGCM.nonceByteCount))
        let associated = try digest(ofAccessGroup: name)
        let sealed = try fromCryptography(
            try AESGCM.seal(
                Array(name.utf8),
                key: nameKey.secret,
                nonce: nonce,
                authenticating: associated
            )
        )
        return nonce + sealed
    }

    /// Opens a name; returns nil unless it was sealed under this keychain's key for this digest.
    func openName(_ sealed: [UInt8], digest: [UInt8]) -> String? {
        guard sealed.count > AESGCM.nonceByteCount + AESGCM.tagByteCount else { return nil }
        let nonce = Array(sealed.prefix(AESGCM.nonceByteCount))
        let body = Array(sealed.dropFirst(AESGCM.nonceByteCount))
        let name = try? AESGCM.open(
            body,
            key: nameKey.secret,
            nonce: nonce,
            authenticating: digest
        )
        return name?.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    }
}
