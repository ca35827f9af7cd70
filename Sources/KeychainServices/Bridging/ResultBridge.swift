import CoreFoundation
import Foundation
import KeyRepresentation
import KeychainMessages
import KeychainModel
import Secrets

/// Turns the engine's answer into objects of the caller's world.
struct ResultBridge {
    /// The dictionary of the call.
    let query: CFDictionary

    /// How keys among the objects want to be used; only they are worth looking it up.
    private var authentication: KeyAuthentication { KeyAuthentication(query) }

    /// nil when there is nothing to hand over.
    func object(of reply: ItemReply) -> CFTypeRef? {
        switch reply {
        case .result(let result): object(of: result)
        case .results(let halves): identityReference(of: halves)
        case .done, .earlierValueStays, .listing: nil
        }
    }

    /// nil when there is nothing to hand over.
    func object(of result: ItemResult) -> CFTypeRef? {
        switch result {
        case .nothing: nil
        case .data(let secret): Self.data(secret)
        case .persistentReference(let bytes): bytes.object
        case .dictionary(let dictionary): self.dictionary(dictionary)
        case .reference(let item): reference(item)
        case .array(let results): NSArray(array: results.compactMap { object(of: $0) })
        }
    }

    /// The persistent reference of an added identity is its certificate's, by another class.
    private func identityReference(of halves: [ItemResult]) -> CFTypeRef? {
        guard case .persistentReference(let bytes)? = halves.first,
            case .uuid(let uuid)? = PersistentReference(decoding: bytes)?.target
        else { return nil }
        let reference = PersistentReference(itemClass: .identity, uuid: uuid)
        return reference.encoded.object
    }

    /// nil for bytes that make no object, such as a symmetric key's.
    private func reference(_ item: ReferencedItem) -> AnyObject? {
        switch item.itemClass {
        case .key: KeyReference(stored: item).map { SecKey($0, authentication) }
        case .certificate: SecCertificate(der: item.data.secret.copyBytesUnprotected())
        case .identity: IdentityReference(stored: item).map { SecIdentity($0, authentication) }
        case .genericPassword, .internetPassword: nil
        }
    }

    /// From here on the bytes are the caller's, in ordinary memory.
    private static func data(_ secret: SharedSecret) -> NSData {
        secret.secret.withUnsafeBytes { NSData(bytes: $0.baseAddress, length: $0.count) }
    }

    private func dictionary(_ item: ItemDictionary) -> NSDictionary {
        var builder = DictionaryBuilder(capacity: item.attributes.count + 4)
        for (attribute, value) in zip(item.attributes.keys, item.attributes.values)
        where !Schema.hiddenFromServices.contains(attribute) {
            guard let object = Self.object(of: value) else { continue }
            builder.add(attribute, object)
        }
        if let secret = item.data { builder.add(.valueData, Self.data(secret)) }
        if let reference = item.persistentReference {
            builder.add(.valuePersistentReference, reference.object)
        }
        if let referenced = item.reference.flatMap(reference) {
            builder.add(.valueReference, referenced)
        }
        if let itemClass = item.itemClass {
            builder.add(.itemClass, NSString(string: itemClass.rawValue))
        }
        return builder.dictionary
    }

    static func object(of value: AttributeValue) -> AnyObject? {
        switch value {
        case .string(let text): NSString(string: text)
        case .data(let bytes): bytes.object
        case .number(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .bool(let flag): NSNumber(value: flag)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .secret(let secret): data(secret)
        case .accessControl(let control): SecAccessControl(control)
        case .array, .authentication, .policy, .null, .unsupported: nil
        }
    }
}
