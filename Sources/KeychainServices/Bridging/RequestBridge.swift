import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import Secrets

/// The conversion of the caller's dictionaries to requests, which replaces references by their
/// attributes.
///
/// - Source: requirements KEY-08, CRT-02, CRT-14.
enum RequestBridge {
    static func add(_ dictionary: CFDictionary) throws(KeychainError) -> ItemRequest {
        let bridged = DictionaryBridge.bridge(dictionary)
        let attributes = try bridged.attributes.withoutHidden
        switch bridged.reference {
        case let key as SecKey:
            return .add(
                try ReferenceExpansion.adding(key.reference, to: attributes.withoutReference)
            )
        case let certificate as SecCertificate:
            return .add(
                ReferenceExpansion.adding(certificate.certificate, to: attributes.withoutReference)
            )
        case let identity as SecIdentity:
            let halves = try ReferenceExpansion.adding(
                identity.reference,
                to: attributes.withoutReference
            )
            return .addAll(halves, duplicates: .toleratedUnlessAll)
        default: return .add(attributes)
        }
    }

    static func copyMatching(_ dictionary: CFDictionary) throws(KeychainError) -> ItemRequest {
        .copyMatching(try search(dictionary))
    }

    static func update(
        _ dictionary: CFDictionary,
        with changes: CFDictionary
    ) throws(KeychainError) -> ItemRequest {
        let query = try search(dictionary)
        return .update(query, with: try DictionaryBridge.attributes(of: changes).withoutHidden)
    }

    static func delete(_ dictionary: CFDictionary) throws(KeychainError) -> ItemRequest {
        .delete(try search(dictionary))
    }

    private static func search(
        _ dictionary: CFDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        let bridged = DictionaryBridge.bridge(dictionary)
        let attributes = try bridged.attributes.withoutHidden
        guard let reference = bridged.reference else { return attributes.withNormalizedNames }
        switch reference {
        case let key as SecKey:
            return try ReferenceExpansion.finding(key.reference, in: attributes.withoutReference)
        case let certificate as SecCertificate:
            return ReferenceExpansion.finding(
                certificate.certificate,
                in: attributes.withoutReference
            )
        case let identity as SecIdentity:
            return try ReferenceExpansion.finding(
                identity.reference,
                in: attributes.withoutReference
            )
        default: return attributes.withNormalizedNames
        }
    }
}

extension AttributeDictionary {
    /// The same dictionary, verified.
    ///
    /// - Throws: `errSecNoSuchAttr` if it has an attribute that is not Apple's, as for any other
    ///   name that no class has.
    fileprivate var withoutHidden: AttributeDictionary {
        get throws(KeychainError) {
            for attribute in Schema.hiddenFromServices where self[attribute] != nil {
                let reason = "\(itemName) has no attribute '\(attribute.rawValue)'"
                throw KeychainError(.noSuchAttribute, reason)
            }
            return self
        }
    }

    /// The dictionary without the reference, after its attributes replaced it.
    fileprivate var withoutReference: AttributeDictionary {
        var others = self
        others.values.removeValue(forKey: QueryKey.valueReference.rawValue)
        return others
    }

    private static let nameKeys = [Attribute.issuer.rawValue, Attribute.subject.rawValue]

    /// The dictionary with the names of certificates in their stored form; a whole Name in DER is
    /// accepted too.
    fileprivate var withNormalizedNames: AttributeDictionary {
        guard values.keys.contains(where: Self.nameKeys.contains) else { return self }
        var normalized = self
        for attribute in [Attribute.issuer, .subject] {
            guard case .data(let bytes)? = self[attribute],
                let content = try? DistinguishedName.normalizedContent(ofNameOrContent: bytes)
            else { continue }
            normalized[attribute] = .data(content)
        }
        return normalized
    }
}
