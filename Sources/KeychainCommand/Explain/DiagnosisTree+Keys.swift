import KeychainModel

// ★ Tables for -25300: the reasons why a search misses an existing key, certificate or identity.
extension DiagnosisTree {
    /// A reason why a search misses a key, with its explanation.
    private struct KeyMiss: Sendable {
        let cause: Diagnosis.Cause
        let sentence: String
        let action: String
        let applies: @Sendable (DiagnosisFacts, KnownItem) -> Bool
    }

    /// The reasons; the first one that applies to a key wins.
    ///
    /// - Source: Item classes guide; Documentation/Spec/item.md §2.
    private static let keyMisses: [KeyMiss] = [
        KeyMiss(
            cause: .otherKeyClass,
            sentence: "A key has this tag, but it is of another class.",
            action: "Name the kSecAttrKeyClass of that key. If you stored only the private key,"
                + " get the public one with SecKeyCopyPublicKey."
        ) { facts, key in
            hasTag(facts, key) && differs(.keyClass, facts, key)
        },
        KeyMiss(
            cause: .otherKeyType,
            sentence: "A key has this tag, but it is of another type.",
            action: "Name the kSecAttrKeyType of that key, or leave the type out of the query."
        ) { facts, key in
            hasTag(facts, key) && differs(.type, facts, key)
        },
        KeyMiss(
            cause: .labelForTag,
            sentence: "No key has this application tag, but a key has this text as its label.",
            action: "Search by kSecAttrLabel, or store your name of a key in"
                + " kSecAttrApplicationTag."
        ) { facts, key in
            isSame(facts.asked[.applicationTag], key.attributes[.label])
                || isSame(facts.asked[.applicationTag], key.attributes[.applicationLabel])
        },
        KeyMiss(
            cause: .tagForLabel,
            sentence: "No key has this label, but a key has this text as its application tag.",
            action: "Search by kSecAttrApplicationTag."
        ) { facts, key in
            isSame(facts.asked[.label], key.attributes[.applicationTag])
        },
    ]

    private static func isSame(_ asked: AttributeValue?, _ found: AttributeValue?) -> Bool {
        asked != nil && DiagnosisFacts.areEqual(asked, found)
    }

    private static func hasTag(_ facts: DiagnosisFacts, _ key: KnownItem) -> Bool {
        isSame(facts.asked[.applicationTag], key.attributes[.applicationTag])
    }

    private static func differs(
        _ attribute: Attribute,
        _ facts: DiagnosisFacts,
        _ key: KnownItem
    ) -> Bool {
        facts.asked[attribute] != nil && facts.asked[attribute] != key.attributes[attribute]
    }

    /// The diagnosis if a search misses an existing key.
    var keyMiss: Diagnosis? {
        guard facts.itemClass == .key else { return nil }
        let keys = facts.all.filter { $0.itemClass == .key && $0.isReadable }
        for row in Self.keyMisses {
            let found = keys.filter { row.applies(facts, $0) }
            guard !found.isEmpty else { continue }
            return Diagnosis(row.cause, row.sentence, [row.action], items: found)
        }
        return nil
    }
}

extension DiagnosisTree {
    /// A reason why a certificate is not part of an identity.
    private struct IdentityMiss: Sendable {
        let cause: Diagnosis.Cause
        let sentence: String
        let action: String
        /// Whether the reason applies to a certificate, given all private keys.
        let applies: @Sendable (KnownItem, [KnownItem]) -> Bool
    }

    /// The reasons; the first one that applies to all certificates wins.
    ///
    /// - Source: Item classes guide; Apple Security source (Security-61901), SecCertificate.c.
    private static let identityMisses: [IdentityMiss] = [
        IdentityMiss(
            cause: .certificateWithoutHash,
            sentence: "The certificate has no kSecAttrPublicKeyHash, so no key can match it. It"
                + " was added as kSecValueData.",
            action: "Delete it, and add it again as kSecValueRef: the keychain then reads the"
                + " hash from the certificate."
        ) { certificate, _ in
            certificate.bytes(.publicKeyHash) == nil
        },
        IdentityMiss(
            cause: .identityWithoutKey,
            sentence: "The certificate is here, but no private key that this program sees matches"
                + " it. An identity is a certificate and the private key whose"
                + " kSecAttrApplicationLabel equals the certificate's kSecAttrPublicKeyHash.",
            action: "Import the private key: keychainctl import, with a PKCS#12 file, for example."
        ) { certificate, keys in
            !keys.contains { isSame(certificate.attributes[.publicKeyHash], $0.keyLabel) }
        },
    ]

    /// The diagnosis if a search finds no identity.
    var identityMiss: Diagnosis? {
        guard facts.itemClass == .identity else { return nil }
        // A hidden key may belong to the certificate.
        if let hiddenByLock { return hiddenByLock }
        let label = facts.asked[.label]
        let named = facts.all.filter {
            $0.isReadable && (label == nil || Self.isSame(label, $0.attributes[.label]))
        }
        let certificates = named.filter { $0.itemClass == .certificate }
        let keys = facts.all.filter(\.isPrivateKey)
        guard !certificates.isEmpty else {
            let named = named.filter(\.isPrivateKey)
            guard !named.isEmpty else { return nil }
            return Diagnosis(
                .identityWithoutCertificate,
                "\(named.count == 1 ? "A private key is" : "Private keys are") here, but no"
                    + " certificate \(label == nil ? "is" : "has this label"). The label of an"
                    + " identity is the label of its certificate.",
                ["Add the certificate, or search by its label."],
                items: named
            )
        }
        for row in Self.identityMisses {
            let found = certificates.filter { row.applies($0, keys) }
            guard found.count == certificates.count else { continue }
            return Diagnosis(row.cause, row.sentence, [row.action], items: found)
        }
        return nil
    }
}

extension KnownItem {
    /// The hash that links a key to its certificate.
    fileprivate var keyLabel: AttributeValue? { attributes[.applicationLabel] }
}
