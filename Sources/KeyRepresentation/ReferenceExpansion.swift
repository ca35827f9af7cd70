import Cryptography
import KeychainModel
import Secrets

/// Turns keys, certificates and identities into the attributes and the value they stand for.
package enum ReferenceExpansion {
    /// The dictionary of an add of this key; what the caller says wins over what the key says.
    ///
    /// The hash of the public key goes along under any label: identities form by it.
    ///
    /// - Throws: `errSecInternalComponent` when the key cannot be written.
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

    /// The dictionary of a search for this key, also under a label of its owner's own.
    ///
    /// - Throws: `errSecInternalComponent` when the key's identity cannot be computed.
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

    /// A dictionary for a key that is not made yet: all that its kind says of it.
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

    /// The dictionary of an add of this certificate; without a label it gets the subject's.
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

    /// The dictionary of a search for this certificate.
    package static func finding(
        _ certificate: Certificate,
        in dictionary: AttributeDictionary
    ) -> AttributeDictionary {
        dictionary.completed(with: certificate.itemAttributes, of: .certificate)
    }

    /// The dictionaries of both halves: certificate, then key.
    ///
    /// Attributes that only one class has go to that half.
    ///
    /// - Throws: `errSecInternalComponent` when the key cannot be written.
    package static func adding(
        _ identity: IdentityReference,
        to dictionary: AttributeDictionary
    ) throws(KeychainError) -> [AttributeDictionary] {
        [
            adding(identity.certificate, to: dictionary.part(of: .certificate)),
            try adding(identity.privateKey, to: dictionary.part(of: .key)),
        ]
    }

    /// The dictionary of a search for this identity.
    ///
    /// - Throws: `errSecInternalComponent` when the key's identity cannot be computed.
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
    /// With what an object says of itself, and its class, wherever nothing else is said.
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
