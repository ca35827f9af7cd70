import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

extension AttributeValue {
    /// The bytes of text or data.
    fileprivate var byteString: [UInt8]? {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }
}

// Items that become objects.
extension TokenObject {
    /// Makes the object of an item that a search returned; nil for an item that is not an object
    /// here.
    ///
    /// - Source: Documentation/Spec/pkcs11.md §3.
    init?(_ itemClass: ItemClass, _ found: ItemDictionary, slot: UInt) {
        guard let reference = found.persistentReference else { return nil }
        let attributes = found.attributes
        let named = attributes[.label]?.byteString
        self.slot = slot
        place = .token(StoredItem(itemClass: itemClass, reference: reference))
        label = named ?? []
        identifier = attributes[.alias]?.byteString ?? []
        // Bytes that this module did not write are ignored.
        kept =
            attributes[.tokenAttributes]?.byteString.flatMap(KeptAttributes.init(encoded:))
            ?? KeptAttributes()
        switch itemClass {
        case .certificate:
            guard let der = found.data?.secret.copyBytesUnprotected(),
                let certificate = try? Certificate(der: der)
            else { return nil }
            content = .certificate(certificate)
            if identifier.isEmpty { identifier = certificate.publicKeyHash }
        case .key:
            let hash = attributes[.applicationLabel]?.byteString ?? []
            guard let content = Self.key(found, hash) else { return nil }
            self.content = content
            if identifier.isEmpty { identifier = hash }
            uses = Self.uses(content, attributes, kept)
            keepOrigin(attributes)
        case .genericPassword:
            guard attributes[.service]?.byteString != Self.undoService else { return nil }
            content = .data(application: attributes[.service]?.byteString ?? [], nil)
            label = named ?? attributes[.account]?.byteString ?? []
        case .internetPassword, .identity: return nil
        }
    }

    /// The service of `keychainctl migrate`'s records, which are not passwords.
    ///
    /// Without them, `--undo` cannot put moved secrets back.
    ///
    /// - Source: Documentation/Spec/migration.md, "Undo".
    private static let undoService = Array("keychain-migrate.undo".utf8)

    private static func key(_ found: ItemDictionary, _ hash: [UInt8]) -> Content? {
        let parameters = KeyParameters(found.attributes)
        guard let isPrivate = parameters.isPrivate else { return nil }
        guard isPrivate else {
            guard let item = found.reference, let key = KeyReference(stored: item) else {
                return nil
            }
            return .publicKey(key.publicKey)
        }
        let found: KeyKind?
        do throws(KeychainError) { found = try parameters.kind() } catch { found = nil }
        guard let kind = found else { return nil }
        return .privateKey(
            StoredPrivateKey(
                kind: kind,
                publicKeyHash: hash,
                publicKey: nil,
                material: nil
            )
        )
    }

    /// Records the history of a key from its item: whether it may leave the keychain, and whether
    /// it was generated in the secure element.
    private mutating func keepOrigin(_ attributes: AttributeValues) {
        guard case .privateKey = content else { return }
        let mayLeave = KeyParameters(attributes).flag(.isExtractable) ?? true
        kept[.extractable] = Encoding.flag(mayLeave)
        guard attributes[.tokenID] == .string(ElementKeyHandle.tokenID) else { return }
        for type in [AttributeType.local, .alwaysSensitive, .neverExtractable] {
            kept[type] = Encoding.flag(true)
        }
    }

    /// Returns the item's flags for uses that the kind of key supports.
    ///
    /// For other uses, Apple's keys give the flags another meaning, so only the template's values
    /// count.
    private static func uses(
        _ content: Content,
        _ attributes: AttributeValues,
        _ kept: KeptAttributes
    ) -> Uses {
        let possible: Uses
        switch content {
        case .publicKey(let key): possible = .possible(key.kind, isPrivate: false)
        case .privateKey(let key): possible = .possible(key.kind, isPrivate: true)
        case .certificate, .data, .secretKey: return []
        }
        let parameters = KeyParameters(attributes)
        return Uses.rows.reduce(into: []) { uses, row in
            let isPossible = possible.contains(row.use)
            let isUsed =
                isPossible ? parameters.flag(row.item) ?? true : kept.flag(row.type) ?? false
            if isUsed { uses.insert(row.use) }
        }
    }
}

// Objects that become items.
extension TokenObject.Draft {
    /// Returns the attributes for adding the item.
    ///
    /// - Throws: `templateInconsistent` for an object that can only be in a session.
    func item() throws(ReturnCode) -> AttributeDictionary {
        var own: AttributeDictionary = [:]
        if !label.isEmpty { own[.label] = .data(label) }
        let encoded = try keptInToken.encoded()
        if !encoded.isEmpty { own[.tokenAttributes] = .data(encoded) }
        var hash: [UInt8] = []
        let item: AttributeDictionary
        switch content {
        case .certificate(let certificate):
            hash = certificate.publicKeyHash
            item = ReferenceExpansion.adding(certificate, to: own)
        case .publicKey, .privateKey:
            guard let key else { throw .templateInconsistent }
            hash = try fromKeychain(try key.publicKeyHash())
            for row in TokenObject.Uses.rows where possible.contains(row.use) {
                own[row.item] = .number(uses.contains(row.use) ? 1 : 0)
            }
            if key.isPrivate {
                own[.wasNeverExtractable] = .number(kept.flag(.neverExtractable) == true ? 1 : 0)
                own[.wasAlwaysSensitive] = .number(kept.flag(.alwaysSensitive) == true ? 1 : 0)
            }
            item = try fromKeychain(try ReferenceExpansion.adding(key, to: own))
        case .data(let application, let value):
            own[QueryKey.itemClass.rawValue] = .string(ItemClass.genericPassword.rawValue)
            own[.service] = .data(application)
            own[.account] = .data(label)
            if let value { own[QueryKey.valueData.rawValue] = .secret(value) }
            return own
        case .secretKey: throw .templateInconsistent
        }
        guard !identifier.isEmpty, identifier != hash else { return item }
        var named = item
        named[.alias] = .data(identifier)
        return named
    }

    /// The attributes that the item does not record; its own attributes contain the possible uses.
    var keptInToken: KeptAttributes {
        var rest = kept
        if case .privateKey = content { rest[.extractable] = nil }
        for row in TokenObject.Uses.rows where !possible.contains(row.use) {
            rest[row.type] = uses.contains(row.use) ? Encoding.flag(true) : nil
        }
        return rest
    }

    /// The uses that the key supports.
    var possible: TokenObject.Uses {
        switch content {
        case .publicKey(let key): .possible(key.kind, isPrivate: false)
        case .privateKey(let key): .possible(key.kind, isPrivate: true)
        case .secretKey(let key): .possible(key.keyType)
        case .certificate, .data: []
        }
    }
}
