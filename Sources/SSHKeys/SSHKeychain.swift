import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import SSHAgentProtocol
import Secrets
import StoredKeys

// Laws  (1) Only private keys with the tag are SSH keys.
//       (2) A locked keychain shows no SSH keys and signs with none, whatever their class.
//       (3) A private key is forgotten after one signature.

/// The SSH keys of a keychain.
///
/// - Source: Documentation/Spec/ssh-agent.md §2.
package struct SSHKeychain: Sendable {
    /// Connects to the keychain.
    package typealias Connect = @Sendable () throws(KeychainError) -> any Endpoint

    /// The application tag of SSH keys.
    package static let tag = Array("ssh".utf8)
    /// The service of items that contain certificates.
    static let certificateService = "ssh-certificate"

    let connect: Connect

    package init(connect: @escaping Connect) { self.connect = connect }

    /// Whether the keychain is unlocked.
    package func isUnlocked() throws(KeychainError) -> Bool {
        guard case .status(let status) = try connect().send(DeviceRequest.status) else {
            throw .unexpectedReply
        }
        return status.lockState == .unlocked
    }

    /// Returns the identities for an agent: every key, followed by its certificate; none while the
    /// keychain is locked.
    ///
    /// Does not prompt the user.
    package func identities() throws(KeychainError) -> [AgentIdentity] {
        guard try isUnlocked() else { return [] }
        let kept = try keptKeys()
        guard !kept.isEmpty else { return [] }
        let certificates = try self.certificates()
        return kept.flatMap { key in
            ([key.key] + certificates.filter { $0.hasSameKey(as: key.key) })
                .map { AgentIdentity($0, comment: key.comment, item: key.item) }
        }
    }
}

// Listing.
extension SSHKeychain {
    /// A key, without its private half.
    package struct KeptKey: Sendable {
        package let key: SSHPublicKey
        package let comment: String
        /// The reference of the private half's item.
        package let item: [UInt8]?
        /// Whether the private half is in the secure element.
        package let isElementKey: Bool
        /// The access control for signing; nil if the key has none.
        package let accessControl: AccessControl?
    }

    /// Returns the keys that are visible now, in the order of addition.
    ///
    /// Those that require a prompt come last.
    package func keptKeys() throws(KeychainError) -> [KeptKey] {
        let halves = try privateHalves()
        let closed = halves.outOfReach.filter { $0.obstacle == .accessControl }
        let seen =
            halves.items.map { ($0.attributes, $0.persistentReference) }
            + closed.map { ($0.attributes, $0.persistentReference) }
        guard !seen.isEmpty else { return [] }
        let publicHalves = try publicHalves()
        var kept: [KeptKey] = []
        for (attributes, item) in seen {
            guard let hash = attributes[.applicationLabel] else { continue }
            var key = publicHalves[hash]
            if key == nil { key = try derivedHalf(hash) }
            guard let key, !kept.contains(where: { $0.key == key }) else { continue }
            kept.append(KeptKey(key, attributes, item))
        }
        return kept
    }

    /// Returns the references of all keys' items, including those that a lock hides.
    package func items() throws(KeychainError) -> [[UInt8]] {
        let halves = try privateHalves()
        return halves.items.compactMap(\.persistentReference)
            + halves.outOfReach.compactMap(\.persistentReference)
    }

    private func privateHalves() throws(KeychainError) -> Listing {
        let filter = Self.filter(isPrivate: true)
        return try list(.key, where: filter, returning: [.returnPersistentReference])
    }

    /// Returns the references of the items with a key, by the hash of its public half.
    func items(_ hash: [UInt8]) throws(KeychainError) -> [[UInt8]] {
        var filter = Self.filter(isPrivate: true)
        filter[.applicationLabel] = .data(hash)
        let found = try list(.key, where: filter, returning: [.returnPersistentReference])
        return found.items.compactMap(\.persistentReference)
            + found.outOfReach.compactMap(\.persistentReference)
    }

    private func publicHalves() throws(KeychainError) -> [AttributeValue: SSHPublicKey] {
        let filter = Self.filter(isPrivate: false)
        let found = try list(.key, where: filter, returning: [.returnReference])
        var halves: [AttributeValue: SSHPublicKey] = [:]
        for item in found.items {
            guard let hash = item.attributes[.applicationLabel],
                let reference = item.reference.flatMap(KeyReference.init(stored:)),
                let key = SSHPublicKey(reference.publicKey)
            else { continue }
            halves[hash] = key
        }
        return halves
    }

    /// Returns the public half of a key of which only the private one is stored.
    private func derivedHalf(_ hash: AttributeValue) throws(KeychainError) -> SSHPublicKey? {
        var filter = Self.filter(isPrivate: true)
        filter[.applicationLabel] = hash
        let found = try list(.key, where: filter, returning: [.returnReference])
        let reference = found.items.first?.reference.flatMap(KeyReference.init(stored:))
        return reference.flatMap { SSHPublicKey($0.publicKey) }
    }

    private func certificates() throws(KeychainError) -> [SSHPublicKey] {
        let filter: AttributeDictionary = [
            Attribute.service.rawValue: .string(Self.certificateService)
        ]
        let found = try list(.genericPassword, where: filter, returning: [.returnData])
        return found.items.compactMap { item in
            item.data.flatMap { try? SSHPublicKey(blob: $0.secret.copyBytesUnprotected()) }
        }.filter { $0.certificate != nil }
    }

    private func list(
        _ itemClass: ItemClass,
        where filter: AttributeDictionary,
        returning keys: [QueryKey] = []
    ) throws(KeychainError) -> Listing {
        let query = AttributeDictionary.all(itemClass, where: filter, returning: keys)
        guard case .listing(let listing) = try connect().send(ItemRequest.list(query)) else {
            throw .unexpectedReply
        }
        return listing
    }

    static func filter(isPrivate: Bool) -> AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(ItemClass.key.rawValue),
            Attribute.keyClass.rawValue: .number(isPrivate ? 1 : 0),
            Attribute.applicationTag.rawValue: .data(tag),
        ]
    }
}

extension SSHKeychain.KeptKey {
    fileprivate init(_ key: SSHPublicKey, _ attributes: AttributeValues, _ item: [UInt8]?) {
        self.key = key
        self.item = item
        comment =
            switch attributes[.label] {
            case .string(let text)?: text
            case .data(let bytes)?: String(decoding: bytes, as: UTF8.self)
            default: ""
            }
        isElementKey = attributes[.tokenID] == .string(ElementKeyHandle.tokenID)
        if case .accessControl(let control)? = attributes[.accessControl], !control.flags.isEmpty {
            accessControl = control
        } else {
            accessControl = nil
        }
    }
}
