import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// The items that an import makes from a file.
struct ImportPlan {
    /// A unit for the user's count: a certificate with its key is one unit.
    private enum Unit {
        /// The positions of a certificate and its private key among the items.
        case identity(certificate: Int, key: Int)
        case certificate(Int)
        case key(Int)
    }

    /// One dictionary for each item: certificates, then keys.
    private(set) var items: [AttributeDictionary] = []
    private var units: [Unit] = []

    /// Plans the items.
    ///
    /// - Parameters:
    ///   - contents: The content of the file.
    ///   - attributes: The attributes that the options give every item.
    ///   - isExtractable: Whether private keys may leave the keychain again.
    /// - Throws: `errSecInternalComponent` if a key cannot be encoded.
    init(
        _ contents: ImportedContents,
        attributes: AttributeDictionary,
        isExtractable: Bool
    ) throws(KeychainError) {
        for certificate in contents.certificates {
            var own = attributes.part(of: .certificate)
            if own[.label] == nil, let key = contents.privateKey(of: certificate) {
                own[.label] = .string(Self.label(of: key, in: contents))
            }
            items.append(ReferenceExpansion.adding(certificate, to: own))
        }
        for key in contents.keys {
            var own = attributes.part(of: .key)
            if own[.label] == nil { own[.label] = .string(Self.label(of: key, in: contents)) }
            let reference = KeyReference(key.material, isExtractable: isExtractable)
            items.append(try ReferenceExpansion.adding(reference, to: own))
        }
        units = Self.units(contents)
        if let bytes = contents.sessionKey {
            units.append(.key(items.count))
            items.append(Self.sessionKey(bytes, attributes.part(of: .key), isExtractable))
        }
    }

    /// Returns the label of a key, which its certificate shares.
    ///
    /// Users and programs that search for an identity by its name mean both.
    ///
    /// - Source: RFC 7292 §4.2: the friendly name is what users call an entry. NSS also gives both
    ///   halves one nickname. macOS labels the certificate with its common name instead;
    ///   `find-certificate -c` finds that name here under any label.
    private static func label(
        of key: ImportedContents.Key,
        in contents: ImportedContents
    ) -> String {
        let reference = KeyReference(key.material)
        let index = contents.certificates.firstIndex { $0.publicKey == reference.publicKey }
        return key.name ?? index.flatMap { contents.certificateNames[$0] }
            ?? index.flatMap { contents.certificates[$0].subjectSummary }
            ?? (reference.isPrivate ? "Imported Private Key" : "Imported Public Key")
    }

    private static func units(_ contents: ImportedContents) -> [Unit] {
        var units: [Unit] = []
        var paired = Set<Int>()
        let keys = contents.keys.map { KeyReference($0.material) }
        for (index, certificate) in contents.certificates.enumerated() {
            let key = keys.firstIndex { $0.isPrivate && $0.publicKey == certificate.publicKey }
            guard let key else {
                units.append(.certificate(index))
                continue
            }
            paired.insert(key)
            units.append(.identity(certificate: index, key: contents.certificates.count + key))
        }
        units += keys.indices.filter { !paired.contains($0) }
            .map { .key(contents.certificates.count + $0) }
        return units
    }

    /// Returns the item of an AES key; its attributes reveal only its size.
    private static func sessionKey(
        _ bytes: SharedSecret,
        _ attributes: AttributeDictionary,
        _ isExtractable: Bool
    ) -> AttributeDictionary {
        let bitCount = AttributeValue.number(Int64(8 * bytes.secret.byteCount))
        var item = attributes
        item[QueryKey.itemClass.rawValue] = .string(ItemClass.key.rawValue)
        item[.keyClass] = .number(2)
        item[.type] = .number(KeyTypeName.aes)
        item[.keySizeInBits] = bitCount
        item[.effectiveKeySize] = bitCount
        item[.isPermanent] = .number(1)
        item[.isExtractable] = .number(isExtractable ? 1 : 0)
        for use in [Attribute.canEncrypt, .canDecrypt, .canWrap, .canUnwrap] {
            item[use] = .number(1)
        }
        if item[.label] == nil { item[.label] = .string("Imported Session Key") }
        item[QueryKey.valueData.rawValue] = .secret(bytes)
        return item
    }

    /// Counts the units of which all items existed already, and the others.
    func tally(existing: Set<Int>) -> (imported: ImportTally, existing: ImportTally) {
        var imported = ImportTally()
        var there = ImportTally()
        for unit in units {
            switch unit {
            case .identity(let certificate, let key):
                let isOld = existing.contains(certificate) && existing.contains(key)
                if isOld { there.identities += 1 } else { imported.identities += 1 }
            case .certificate(let index):
                if existing.contains(index) {
                    there.certificates += 1
                } else {
                    imported.certificates += 1
                }
            case .key(let index):
                if existing.contains(index) { there.keys += 1 } else { imported.keys += 1 }
            }
        }
        return (imported, there)
    }
}

extension AttributeDictionary {
    /// Returns the attributes that belong to a class.
    fileprivate func part(of itemClass: ItemClass) -> AttributeDictionary {
        var part: AttributeDictionary = [:]
        for (name, value) in values
        where Schema.spec(Attribute(rawValue: name), in: itemClass) != nil {
            part[name] = value
        }
        return part
    }
}

extension ImportedContents {
    fileprivate func privateKey(of certificate: Certificate) -> Key? {
        keys.first { key in
            let reference = KeyReference(key.material)
            return reference.isPrivate && reference.publicKey == certificate.publicKey
        }
    }
}
