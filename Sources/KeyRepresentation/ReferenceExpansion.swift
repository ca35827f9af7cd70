import Cryptography
import KeychainModel
import Secrets

/// The conversion of keys, certificates and identities to their attributes and values.
package enum ReferenceExpansion {
    /// Returns the dictionary for adding this key; the caller's attributes take precedence over the
    /// key's.
    ///
    /// It contains the hash of the public key under any label, because identities are formed by it.
    ///
    /// - Throws: `errSecInternalComponent` if the key cannot be written.
    package static func adding(
        _ key: KeyReference,
        to dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = try expand(key, in: dictionary)
        expanded[QueryKey.valueData.rawValue] = .secret(
            SharedSecret(try key.storedRepresentation())
        )
        return expanded
    }

    /// Returns the dictionary for finding this key, also under its owner's own label.
    ///
    /// - Throws: `errSecInternalComponent` if the key's identity cannot be computed.
    package static func finding(
        _ key: KeyReference,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        let named = Set(dictionary.values.keys)
        var expanded = try expand(key, in: dictionary)
        let left = KeyReference.usageAttributes.union([.applicationLabel])
        for attribute in left where !named.contains(attribute.rawValue) {
            expanded.values.removeValue(forKey: attribute.rawValue)
        }
        return expanded
    }

    private static func expand(
        _ key: KeyReference,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = dictionary.completed(with: try key.itemAttributes(), of: .key)
        expanded.publicKeyHash = try key.publicKeyHash()
        return expanded
    }

    /// Returns a dictionary for a key that does not exist yet, with all attributes of its kind.
    package static func describing(
        _ kind: KeyKind,
        isPrivate: Bool,
        isExtractable: Bool,
        in dictionary: AttributeDictionary
    ) -> AttributeDictionary {
        let attributes = KeyReference.attributes(
            of: kind,
            isPrivate: isPrivate,
            isExtractable: isExtractable
        )
        return dictionary.completed(with: attributes, of: .key)
    }

    /// Returns the dictionary for adding this certificate; the default label is the subject's.
    package static func adding(
        _ certificate: Certificate,
        to dictionary: AttributeDictionary
    ) -> AttributeDictionary {
        var expanded = finding(certificate, in: dictionary)
        if expanded[Attribute.label] == nil, let summary = certificate.subjectSummary {
            expanded[Attribute.label] = .string(summary)
        }
        expanded[QueryKey.valueData.rawValue] = .secret(
            SharedSecret(Secret(copying: certificate.der))
        )
        return expanded
    }

    /// Returns the dictionary for finding this certificate.
    package static func finding(
        _ certificate: Certificate,
        in dictionary: AttributeDictionary
    ) -> AttributeDictionary {
        dictionary.completed(with: certificate.itemAttributes, of: .certificate)
    }

    /// Returns the dictionaries for adding both halves: certificate, then key.
    ///
    /// Attributes that only one class has are in the dictionary of that half.
    ///
    /// - Throws: `errSecInternalComponent` if the key cannot be written.
    package static func adding(
        _ identity: IdentityReference,
        to dictionary: AttributeDictionary
    ) throws(KeychainError) -> [AttributeDictionary] {
        [
            adding(identity.certificate, to: dictionary.part(of: .certificate)),
            try adding(identity.privateKey, to: dictionary.part(of: .key)),
        ]
    }

    /// Returns the dictionary for finding this identity.
    ///
    /// - Throws: `errSecInternalComponent` if the key's identity cannot be computed.
    package static func finding(
        _ identity: IdentityReference,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = dictionary
        let certificate = identity.certificate
        expanded[Attribute.issuer] = .data(certificate.issuer.normalizedContent)
        expanded[Attribute.serialNumber] = .data(certificate.serialNumber)
        expanded.publicKeyHash = try identity.privateKey.publicKeyHash()
        expanded[QueryKey.itemClass.rawValue] = .string(ItemClass.identity.rawValue)
        return expanded
    }
}

extension AttributeDictionary {
    /// Returns the dictionary with an object's attributes and class in place of missing ones.
    fileprivate func completed(
        with attributes: some Sequence<(key: Attribute, value: AttributeValue)>,
        of itemClass: ItemClass
    ) -> AttributeDictionary {
        var completed = self
        for (attribute, value) in attributes where completed[attribute] == nil {
            completed[attribute] = value
        }
        if completed[QueryKey.itemClass.rawValue] == nil {
            completed[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        }
        return completed
    }

    /// Returns the part of an identity's dictionary that applies to one of its halves.
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
