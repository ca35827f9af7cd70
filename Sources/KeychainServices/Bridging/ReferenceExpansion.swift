import CoreFoundation
import KeychainModel
import Secrets

/// Turns `kSecValueRef` into the attributes and the value that it stands for.
enum ReferenceExpansion {
    /// The dictionary of an add of this key; its own attributes win, except the key's identity.
    static func adding(
        _ key: SecKey,
        to dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = try expand(key, in: dictionary)
        expanded[Attribute.applicationLabel] = .data(try key.applicationLabel())
        expanded[QueryKey.valueData.rawValue] = .secret(
            SharedSecret(try key.storedRepresentation())
        )
        return expanded
    }

    /// The dictionary of a search for this key.
    static func finding(
        _ key: SecKey,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        let named = Set(dictionary.values.keys)
        var expanded = try expand(key, in: dictionary)
        for attribute in SecKey.usageAttributes where !named.contains(attribute.rawValue) {
            expanded.values.removeValue(forKey: attribute.rawValue)
        }
        return expanded
    }

    private static func expand(
        _ key: SecKey,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = dictionary
        for (attribute, value) in try key.itemAttributes()
        where expanded[attribute] == nil {
            expanded[attribute] = value
        }
        if expanded[QueryKey.itemClass.rawValue] == nil {
            expanded[QueryKey.itemClass.rawValue] = .string(ItemClass.key.rawValue)
        }
        return expanded
    }

    /// The dictionary of an add of this certificate; without a label it gets the subject's.
    static func adding(
        _ certificate: SecCertificate,
        to dictionary: AttributeDictionary
    ) -> AttributeDictionary {
        var expanded = finding(certificate, in: dictionary)
        if expanded[Attribute.label] == nil, let summary = certificate.certificate.subjectSummary {
            expanded[Attribute.label] = .string(summary)
        }
        expanded[QueryKey.valueData.rawValue] = .secret(
            SharedSecret(Secret(copying: certificate.certificate.der))
        )
        return expanded
    }

    /// The dictionary of a search for this certificate.
    static func finding(
        _ certificate: SecCertificate,
        in dictionary: AttributeDictionary
    ) -> AttributeDictionary {
        var expanded = dictionary
        for (attribute, value) in certificate.itemAttributes where expanded[attribute] == nil {
            expanded[attribute] = value
        }
        if expanded[QueryKey.itemClass.rawValue] == nil {
            expanded[QueryKey.itemClass.rawValue] = .string(ItemClass.certificate.rawValue)
        }
        return expanded
    }

    /// The dictionaries of both halves: certificate, then key.
    ///
    /// Attributes that only one class has go to that half.
    static func adding(
        _ identity: SecIdentity,
        to dictionary: AttributeDictionary
    ) throws(KeychainError) -> [AttributeDictionary] {
        [
            adding(identity.certificate, to: dictionary.part(of: .certificate)),
            try adding(identity.privateKey, to: dictionary.part(of: .key)),
        ]
    }

    /// The dictionary of a search for this identity.
    static func finding(
        _ identity: SecIdentity,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = dictionary
        let certificate = identity.certificate.certificate
        expanded[Attribute.issuer] = .data(certificate.issuer.normalizedContent)
        expanded[Attribute.serialNumber] = .data(certificate.serialNumber)
        expanded[Attribute.applicationLabel] = .data(try identity.privateKey.applicationLabel())
        expanded[QueryKey.itemClass.rawValue] = .string(ItemClass.identity.rawValue)
        return expanded
    }
}

extension AttributeDictionary {
    /// What of an identity's dictionary one of its halves can take.
    fileprivate func part(of itemClass: ItemClass) -> AttributeDictionary {
        var part = self
        for name in values.keys {
            guard case .attribute(let attribute) = KeyGrammar(name),
                Schema.spec(attribute, in: .identity) != nil,
                Schema.spec(attribute, in: itemClass) == nil
            else { continue }
            part.values.removeValue(forKey: name)
        }
        part[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        return part
    }
}
