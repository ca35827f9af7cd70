import CoreFoundation
import Foundation
import KeyRepresentation
import KeychainMessages
import KeychainModel
import Secrets

/// The conversion of the engine's reply to objects for the caller.
struct ResultBridge {
    /// The dictionary of the call.
    let query: CFDictionary

    /// The authentication of keys among the objects, computed only for them.
    private var authentication: KeyAuthentication { KeyAuthentication(query) }

    /// Returns the object of a reply; nil if it has none.
    func object(of reply: ItemReply) -> CFTypeRef? {
        switch reply {
        case .result(let result): object(of: result)
        case .results(let halves): identityReference(of: halves)
        case .done, .earlierValueStays, .listing: nil
        }
    }

    /// Returns the object of a result; nil if it has none.
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

    /// Returns the persistent reference of an added identity: its certificate's, with another
    /// class.
    private func identityReference(of halves: [ItemResult]) -> CFTypeRef? {
        guard case .persistentReference(let bytes)? = halves.first,
            case .uuid(let uuid)? = PersistentReference(decoding: bytes)?.target
        else { return nil }
        let reference = PersistentReference(itemClass: .identity, uuid: uuid)
        return reference.encoded.object
    }

    /// Returns a reference object; nil for bytes without one, such as those of a symmetric key.
    private func reference(_ item: ReferencedItem) -> AnyObject? {
        switch item.itemClass {
        case .key: KeyReference(stored: item).map { SecKey($0, authentication) }
        case .certificate: SecCertificate(der: item.data.secret.copyBytesUnprotected())
        case .identity: IdentityReference(stored: item).map { SecIdentity($0, authentication) }
        case .genericPassword, .internetPassword: nil
        }
    }

    /// Copies the bytes to ordinary memory, which belongs to the caller.
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
