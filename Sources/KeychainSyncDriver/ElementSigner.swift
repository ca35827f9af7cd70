import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import StoredKeys

/// The two keys of a peer, in the secure element of the keychain that it synchronizes.
///
/// They are ThisDeviceOnly items, so a factory reset deletes them, and no backup can restore them
/// on another device.
struct ElementSigner: PeerSigner {
    /// The application tags that identify the two keys.
    private enum Purpose: String, CaseIterable {
        case signing = "synchronization.signing"
        case agreement = "synchronization.agreement"

        var tag: AttributeValue { .data(Array(rawValue.utf8)) }
    }

    let keys: PeerKeys
    private let signing: StoredKey
    private let agreement: StoredKey

    private init(
        _ signing: KeyReference,
        _ agreement: KeyReference,
        _ endpoint: any Endpoint
    ) throws(SyncFailure) {
        let keys = PeerKeys(
            signing: signing.publicKey.externalRepresentation,
            agreement: agreement.publicKey.externalRepresentation
        )
        guard let keys else { throw .damagedState("a key of this device is not of P-256") }
        self.keys = keys
        self.signing = StoredKey(signing) { endpoint }
        self.agreement = StoredKey(agreement) { endpoint }
    }

    /// Finds the device's keys in the keychain; nil if it has none.
    init?(in endpoint: any Endpoint) throws(SyncFailure) {
        guard let signing = try Self.find(.signing, endpoint),
            let agreement = try Self.find(.agreement, endpoint)
        else { return nil }
        try self.init(signing, agreement, endpoint)
    }

    /// Makes new keys, and deletes the earlier ones.
    static func make(in endpoint: any Endpoint) throws(SyncFailure) -> ElementSigner {
        try remove(from: endpoint)
        for purpose in Purpose.allCases { try make(purpose, endpoint) }
        guard let made = try ElementSigner(in: endpoint) else {
            throw .damagedState("the keys that were made are gone")
        }
        return made
    }

    /// Deletes the keys, if there are any.
    static func remove(from endpoint: any Endpoint) throws(SyncFailure) {
        for purpose in Purpose.allCases {
            do throws(KeychainError) {
                _ = try endpoint.send(ItemRequest.delete(filter(purpose)))
            } catch {
                guard error.status == .itemNotFound else { throw .keychain(error) }
            }
        }
    }

    func sign(_ message: [UInt8]) throws(SyncError) -> [UInt8] {
        do throws(KeychainError) {
            return try signing.sign(message, with: Self.signature).secret.copyBytesUnprotected()
        } catch { throw .backend("the secure element: \(error)") }
    }

    func agree(with publicKey: [UInt8]) throws(SyncError) -> Secret {
        let point: PublicKey
        do throws(CryptographyError) {
            point = try PublicKey(family: .ellipticCurve, externalRepresentation: publicKey)
        } catch { throw .damaged("a public key is none") }
        guard point.kind == .ellipticCurve(.p256) else { throw .damaged("a public key is none") }
        do throws(KeychainError) {
            let shared = try agreement.agree(with: point, by: Self.exchange)
            return shared.secret.duplicate()
        } catch { throw .backend("the secure element: \(error)") }
    }

    private static let signature = KeyScheme.signature(.ecdsa(.sha256, .message, .rfc4754))
    private static let exchange = KeyScheme.exchange(nil, cofactor: false)

    private static func filter(_ purpose: Purpose) -> AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(ItemClass.key.rawValue),
            Attribute.keyClass.rawValue: .number(1),
            Attribute.applicationTag.rawValue: purpose.tag,
        ]
    }

    private static func find(
        _ purpose: Purpose,
        _ endpoint: any Endpoint
    ) throws(SyncFailure) -> KeyReference? {
        let query = AttributeDictionary.all(
            .key,
            where: filter(purpose),
            returning: [.returnReference]
        )
        do throws(KeychainError) {
            guard case .listing(let listing) = try endpoint.send(ItemRequest.list(query)) else {
                throw .unexpectedReply
            }
            return listing.items.first?.reference.flatMap(KeyReference.init(stored:))
        } catch {
            guard error.status == .itemNotFound else { throw .keychain(error) }
            return nil
        }
    }

    private static func make(
        _ purpose: Purpose,
        _ endpoint: any Endpoint
    ) throws(SyncFailure) {
        let attributes: AttributeDictionary = [
            Attribute.applicationTag.rawValue: purpose.tag,
            Attribute.label.rawValue: .string("Keychain synchronization"),
            Attribute.tokenID.rawValue: .string(ElementKeyHandle.tokenID),
            Attribute.accessible.rawValue: .string(
                ProtectionClass.whenUnlockedThisDeviceOnly.code
            ),
        ]
        let described = ReferenceExpansion.describing(
            .ellipticCurve(.p256),
            isPrivate: true,
            isExtractable: false,
            in: attributes
        )
        do throws(KeychainError) {
            _ = try endpoint.send(ElementKeyRequest.make(described, isPermanent: true))
        } catch { throw .keychain(error) }
    }
}
